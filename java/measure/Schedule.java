package measure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiPredicate;

/**
 * The order of the forks. In each round every contender has one turn on each JVM, so that a slow
 * minute of the machine hits all alike. Contenders of one cell follow each other, in an order
 * shuffled anew for each round.
 */
public final class Schedule {
  private Schedule() {}

  /**
   * One fork of one contender. Immutable.
   *
   * @param <C> contenders
   * @param <J> what they run on
   */
  public static final class Turn<C, J> {
    public final C contender;
    public final J jvm;

    /** Counted from 1. */
    public final int round;

    /** In the order of its cell in this round, counted from 1. */
    public final int place;

    Turn(C contender, J jvm, int round, int place) {
      this.contender = contender;
      this.jvm = jvm;
      this.round = round;
      this.place = place;
    }
  }

  /**
   * All turns, in order.
   *
   * @param first the first round, counted from 1
   * @param last the last round
   * @param cells contenders to compare with each other, by the name of their cell
   * @param seed of the shuffling; null for the order in which the contenders were named
   * @param fits whether a contender can run on a JVM
   */
  public static <C, J> List<Turn<C, J>> turns(
      int first,
      int last,
      Collection<J> jvms,
      Map<String, List<C>> cells,
      Long seed,
      BiPredicate<C, J> fits) {
    List<Turn<C, J>> turns = new ArrayList<>();
    for (int round = first; round <= last; round++) {
      for (J jvm : jvms) {
        for (Map.Entry<String, List<C>> cell : cells.entrySet()) {
          List<C> order = new ArrayList<>(cell.getValue());
          order.removeIf(contender -> !fits.test(contender, jvm));
          if (seed != null) {
            // From seed, cell and round alone, so that a resumed run keeps the order.
            Collections.shuffle(order, new Random(Objects.hash(seed, cell.getKey(), round)));
          }
          for (int place = 1; place <= order.size(); place++) {
            turns.add(new Turn<>(order.get(place - 1), jvm, round, place));
          }
        }
      }
    }
    return turns;
  }
}
