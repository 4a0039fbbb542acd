package kit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import measure.Profile;

/** What is to be recorded: experiments, their Javas and their rounds. Immutable. */
final class Request {

  /** One round of one cell on one Java: a fork of each contender. */
  static final class Block {
    final Experiment experiment;
    final int jdk;
    final int cell;
    final int round;

    Block(Experiment experiment, int jdk, int cell, int round) {
      this.experiment = experiment;
      this.jdk = jdk;
      this.cell = cell;
      this.round = round;
    }

    @Override
    public String toString() {
      return experiment.name + ", Java " + jdk + ", round " + round;
    }
  }

  final Profile profile;
  final long seed;

  /** Of each experiment, its Javas. */
  private final Map<Experiment, List<Integer>> jdks;

  /** Of each experiment, its last round. */
  private final Map<Experiment, Integer> last;

  private final Map<Experiment, List<Integer>> controls;
  private final int first;

  /**
   * @param first the round to begin with, counted from 1; an earlier recording has those before
   */
  Request(
      Map<Experiment, List<Integer>> jdks,
      Map<Experiment, Integer> last,
      Map<Experiment, List<Integer>> controls,
      Profile profile,
      long seed,
      int first) {
    this.jdks = jdks;
    this.last = last;
    this.controls = controls;
    this.profile = profile;
    this.seed = seed;
    this.first = first;
  }

  /** The experiments, with their Javas: first the controls. */
  Map<Experiment, List<Integer>> experiments() {
    Map<Experiment, List<Integer>> all = new LinkedHashMap<>(controls);
    all.putAll(jdks);
    return all;
  }

  /** Every Java that is needed, in order. */
  TreeSet<Integer> javas() {
    TreeSet<Integer> all = new TreeSet<>();
    experiments().values().forEach(all::addAll);
    return all;
  }

  /** The blocks of the controls: they come first. */
  List<Block> controlBlocks() {
    List<Block> blocks = new ArrayList<>();
    controls.forEach(
        (experiment, javas) -> {
          for (int round = 1; round <= experiment.rounds(profile); round++) {
            add(blocks, experiment, javas, round);
          }
        });
    return blocks;
  }

  /**
   * All other blocks, round by round: a slow hour of the machine hits every Java and cell alike.
   */
  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    int rounds = last.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    for (int round = first; round <= rounds; round++) {
      for (Map.Entry<Experiment, List<Integer>> each : jdks.entrySet()) {
        if (round <= last.get(each.getKey())) {
          add(blocks, each.getKey(), each.getValue(), round);
        }
      }
    }
    return blocks;
  }

  private static void add(
      List<Block> blocks, Experiment experiment, List<Integer> javas, int round) {
    for (int jdk : javas) {
      for (int cell = 0; cell < experiment.cells.size(); cell++) {
        blocks.add(new Block(experiment, jdk, cell, round));
      }
    }
  }

  /** As it stands in {@code machine.json}. */
  Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("experiments", names(jdks.keySet()));
    facts.put("jdks", byName(jdks));
    facts.put("profile", profile.toString());
    facts.put("seed", seed);
    facts.put("planned", byName(last));
    if (first > 1) {
      facts.put("from_round", first);
    }
    if (!controls.isEmpty()) {
      facts.put("controls", byName(controls));
    }
    return facts;
  }

  private static List<String> names(Iterable<Experiment> experiments) {
    List<String> names = new ArrayList<>();
    experiments.forEach(experiment -> names.add(experiment.name));
    return names;
  }

  private static Map<String, Object> byName(Map<Experiment, ?> values) {
    Map<String, Object> named = new LinkedHashMap<>();
    values.forEach((experiment, value) -> named.put(experiment.name, value));
    return named;
  }
}
