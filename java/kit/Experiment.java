// jackson-dataformat-toml: reads experiments.toml, with jackson-databind.
//DEPS com.fasterxml.jackson.dataformat:jackson-dataformat-toml:2.22.2
//DEPS com.fasterxml.jackson.core:jackson-databind:2.22.2
//FILES kit/experiments.toml=../../datasets/experiments.toml
//FILES kit/catalog.json=../../jbang-catalog.json

package kit;

import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import measure.Profile;

/**
 * An experiment of {@code datasets/experiments.toml}: a program, its arguments, and the further
 * arguments of each cell. Immutable.
 */
final class Experiment {
  /** JMH's options for what a profile says otherwise; the last one wins. */
  private static final Map<String, String> LENGTHS = new LinkedHashMap<>();

  static {
    LENGTHS.put("-wi", "warmup_iterations");
    LENGTHS.put("-w", "warmup_milliseconds");
    LENGTHS.put("-i", "iterations");
    LENGTHS.put("-r", "milliseconds");
  }

  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern PART = Pattern.compile("\\{(\\w+)\\}");

  final String name;

  /** What it asks, for people. */
  final String question;

  /** The program's class, such as {@code dates.BenchDates}. */
  final String main;

  /** Whether it measures with JMH, in forks on a Java that it is given. */
  final boolean isJmh;

  final List<String> arguments;
  final List<List<String>> cells;

  /** Whether it takes a seed for the order of its contenders. */
  final boolean isShuffled;

  /** Whether it takes a file for its raw times. */
  final boolean hasHistograms;

  /** Whether it reads a day of market data. */
  final boolean needsDay;

  private Experiment(String name, Map<?, ?> keys, Map<?, ?> parts, Map<?, ?> aliases) {
    this.name = name;
    question = (String) keys.get("question");
    String alias = (String) keys.get("alias");
    isJmh = alias.startsWith("bench-");
    String script = (String) ((Map<?, ?>) aliases.get(alias)).get("script-ref");
    main = script.replaceFirst("^java/", "").replaceFirst("\\.java$", "").replace('/', '.');
    arguments = words(keys.get("arguments"), parts);
    List<?> given = (List<?>) keys.get("cells");
    cells =
        given == null
            ? Collections.singletonList(Collections.<String>emptyList())
            : given.stream().map(cell -> words(cell, parts)).collect(Collectors.toList());
    isShuffled = Boolean.TRUE.equals(keys.get("shuffled"));
    hasHistograms = Boolean.TRUE.equals(keys.get("histograms"));
    needsDay = Boolean.TRUE.equals(keys.get("day"));
  }

  /** All experiments by name, in the order of the file. */
  static Map<String, Experiment> all() throws IOException {
    Map<?, ?> file = file();
    Map<?, ?> catalog;
    try (InputStream json = resource("catalog.json")) {
      catalog = JSON.std.mapFrom(json);
    }
    Map<String, Experiment> all = new LinkedHashMap<>();
    ((Map<?, ?>) file.get("experiments"))
        .forEach(
            (name, keys) ->
                all.put(
                    (String) name,
                    new Experiment(
                        (String) name,
                        (Map<?, ?>) keys,
                        (Map<?, ?>) file.get("parts"),
                        (Map<?, ?>) catalog.get("aliases"))));
    return all;
  }

  /**
   * What a machine with little time measures, the most telling first: the seconds of a round with
   * one Java, by the name of the experiment.
   */
  static Map<String, Integer> mostTelling() throws IOException {
    Map<String, Integer> seconds = new LinkedHashMap<>();
    ((Map<?, ?>) file().get("kit"))
        .forEach((name, value) -> seconds.put((String) name, ((Number) value).intValue()));
    return seconds;
  }

  private static Map<?, ?> file() throws IOException {
    try (InputStream toml = resource("experiments.toml")) {
      return new TomlMapper().readValue(toml, Map.class);
    }
  }

  private static InputStream resource(String name) {
    return Experiment.class.getResourceAsStream("/kit/" + name);
  }

  /** Splits as a shell does, with single quotes only, after the parts are put in. */
  private static List<String> words(Object text, Map<?, ?> parts) {
    List<String> words = new ArrayList<>();
    if (text == null) {
      return words;
    }
    StringBuffer whole = new StringBuffer();
    Matcher part = PART.matcher((String) text);
    while (part.find()) {
      part.appendReplacement(whole, Matcher.quoteReplacement((String) parts.get(part.group(1))));
    }
    for (Matcher word = WORD.matcher(part.appendTail(whole)); word.find(); ) {
      words.add(word.group(1) != null ? word.group(1) : word.group(2));
    }
    return words;
  }

  /**
   * Of each cell, how many warm-up iterations and measured ones a fork has, and how long they are.
   * Empty for a program that does not measure with JMH: its arguments say what it does.
   */
  List<Map<String, Object>> lengths(Profile profile) {
    List<Map<String, Object>> lengths = new ArrayList<>();
    for (List<String> cell : isJmh ? cells : Collections.<List<String>>emptyList()) {
      Map<String, Object> length = new LinkedHashMap<>();
      length.put("warmup_iterations", profile.warmupIterations());
      length.put("warmup_milliseconds", profile.warmupMilliseconds());
      length.put("iterations", profile.iterations());
      length.put("milliseconds", profile.milliseconds());
      List<String> words = new ArrayList<>(arguments);
      words.addAll(cell);
      for (int i = 0; i + 1 < words.size(); i++) {
        if (LENGTHS.containsKey(words.get(i))) {
          length.put(LENGTHS.get(words.get(i)), milliseconds(words.get(i + 1)));
        }
      }
      lengths.add(length);
    }
    return lengths;
  }

  /** A count, or a time of JMH, such as 750ms or 3s. */
  private static int milliseconds(String text) {
    int number = Integer.parseInt(text.replaceFirst("m?s$", ""));
    return text.endsWith("s") && !text.endsWith("ms") ? 1000 * number : number;
  }

  /** Whether its program is on this JVM's class path. */
  boolean isHere() {
    return Experiment.class.getResource("/" + main.replace('.', '/') + ".class") != null;
  }
}
