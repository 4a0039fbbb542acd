//SOURCES DryRun.java
//SOURCES Known.java
//SOURCES Measured.java

package ask;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import measure.Ratio;

/**
 * Whether to pool an object: an advice, its reasons, and what was not checked. Immutable.
 *
 * <p>The price of an object is NEW_ESCAPES - HELD, because a lazy object is made in part when it is
 * first used; a hand-over is a way - HELD. Keeping an object pays if the whole interval of the
 * ratio is beyond 5%, and the saving is worth having: {@value #WORTH} times as fast, and at the
 * rate of its uses more than a share of {@value #MATTERS} of a processor. If the interval has
 * {@value #WORTH} in it, a reason says so.
 */
final class Answer {
  /** What to do. */
  enum Advice {
    /** One object for all threads. */
    SHARE("Share one."),
    /** A new object each time. */
    NEW("Do not pool it."),
    /** Keep one object for each thread. */
    ONE_PER_THREAD("Keep one per thread."),
    /** Keep a limited number of objects and lend them. */
    POOL("Pool it."),
    /** The rounds do not agree. */
    TOO_CLOSE("Too close to call."),
    /** Each is the same object. */
    NOTHING_TO_POOL("There is nothing to pool."),
    /** It belongs to what it was made with. */
    BELONGS_TO_ANOTHER("Do not pool it."),
    /** There is no second use. */
    CANNOT_BE_USED_AGAIN("Do not pool it."),
    /** The figures are not about what was asked. */
    MEASUREMENT_UNSOUND("No advice yet."),
    /** It was only tried, and nothing stands in the way of a measurement. */
    CAN_BE_MEASURED("It can be measured.");

    /** What to do, in a short sentence. */
    final String words;

    Advice(String words) {
      this.words = words;
    }
  }

  private static final double MOST_UNSEEN_BYTES = 100;
  private static final double WORTH = 1.25;
  private static final double MATTERS = 0.01;
  private static final double REMOVED = 0.8;
  private static final double LEAST_REMOVED_NANOS = 5;
  private static final double FEW = 0.5; // a share of forks
  private static final double LEAST_OUTSIDE_BYTES = 256;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double LEAST_SEEN_NANOS = 0.5;
  private static final double SCARCE_NANOS = 10_000;
  private static final double SCARCE_BYTES = 1 << 16;
  private static final Set<Way> HAND_OVERS =
      EnumSet.of(Way.LOCKED, Way.POOL, Way.TURN_POOL, Way.THREAD_LOCAL, Way.SHARED);

  final Advice advice;

  /** Sentences: why, and what else to do. */
  final List<String> reasons = new ArrayList<>();

  /** What was not checked. */
  final List<String> notChecked = new ArrayList<>();

  private final Measured measured;
  private final DryRun dry;
  private final Known known;
  private final boolean hasClose;
  private final boolean isShareable;
  private final boolean isBound;
  private final double rate;

  /**
   * @param measured what the ways took, NEW and NEW_ESCAPES at least; null if it was only tried
   * @param hasClose whether the object is closed after its use
   * @param isShareable whether threads may share one
   * @param isBound whether it belongs to what it was made with
   * @param rate uses a second
   */
  Answer(
      Measured measured,
      DryRun dry,
      Known known,
      boolean hasClose,
      boolean isShareable,
      boolean isBound,
      double rate) {
    this.measured = measured;
    this.dry = dry;
    this.known = known;
    this.hasClose = hasClose;
    this.isShareable = isShareable;
    this.isBound = isBound;
    this.rate = rate;
    advice = decide();
    alsoDo();
    if (advice == Advice.NOTHING_TO_POOL) {
      notChecked.add("everything else");
      return;
    }
    if (!isShareable) {
      notChecked.add("whether threads may share one object (if they may, add --shareable)");
    }
    notChecked.add("whether a used object gives the same results as a new one");
    notChecked.add("the memory that idle objects keep");
    if (mayGrowUnseen()) {
      notChecked.add(
          String.format(
              Locale.ROOT,
              "whether it grows by less than %s with each use, which would take long",
              bytes(dry.unseenBytes)));
    }
    if (dry.isProcess) {
      notChecked.add("whether other programs ran meanwhile: it is one itself");
    }
    if (Double.isNaN(dry.outsideBytes)) {
      notChecked.add("memory outside of the heap, which this system does not report");
    }
    if (measured != null && !isShareable && Way.FOR_QUICK_USES.stream().noneMatch(measured::has)) {
      notChecked.add(
          String.format(
              Locale.ROOT,
              "%s, which differ little where a use takes about %s (--all-ways measures them)",
              Way.FOR_QUICK_USES.stream().map(Way::name).collect(Collectors.joining(", ")),
              nanos(dry.useNanos)));
    }
  }

  /** Whether there are enough rounds, and they do not agree. */
  boolean wantsMoreRounds() {
    return advice == Advice.TOO_CLOSE && keptRounds() >= Ratio.LEAST_ROUNDS;
  }

  private int rounds() {
    return isShareable ? measured.rounds(Way.NEW_ESCAPES, Way.SHARED) : keptRounds();
  }

  private int keptRounds() {
    return Math.min(
        measured.rounds(Way.NEW_ESCAPES, Way.THREAD_LOCAL),
        measured.rounds(Way.NEW_ESCAPES, Way.HELD));
  }

  /** Whether the dry run decides, so that nothing needs to be measured. */
  static boolean isDecidedBy(
      DryRun dry, Known known, boolean isShareable, boolean hasClose, boolean isBound) {
    boolean needsClose = leavesOutside(dry) && !known.close.isEmpty();
    return dry.isSame
        || isBound
        || dry.onceOnly != null
        || known.isOnce
        || dry.wearsOut != null
        || dry.growsBytes > 0
        || needsClose
        || leaves(dry.threadsLeft, isShareable, hasClose)
        || leaves(dry.filesLeft, isShareable, hasClose);
  }

  private Advice decide() {
    if (dry.isSame) {
      reasons.add(
          "--create gives the same object each time, so nothing is made: ask with an expression"
              + " that makes a new one.");
      return Advice.NOTHING_TO_POOL;
    }
    if (dry.onceOnly != null) {
      reasons.add("It cannot be used again: " + dry.onceOnly + ".");
      return Advice.CANNOT_BE_USED_AGAIN;
    }
    if (known.isOnce) {
      reasons.add("It cannot be used again: a second use only gives the result of the first.");
      return Advice.CANNOT_BE_USED_AGAIN;
    }
    if (isBound) {
      reasons.add(
          "It belongs to what it was made with, and cannot be lent to the next user: make one for"
              + " each.");
      return Advice.BELONGS_TO_ANOTHER;
    }
    if (isUnsound()) {
      return Advice.MEASUREMENT_UNSOUND;
    }
    if (measured == null) {
      reasons.add(
          mayGrowUnseen()
              ? "It can be used again."
              : "It can be used again, and a kept one stays as it is.");
      return Advice.CAN_BE_MEASURED;
    }
    if (rounds() < Ratio.LEAST_ROUNDS) {
      return tooFew(rounds());
    }
    return isShareable ? sharedOrNew() : keptOrNew();
  }

  /** Whether its uses take so long that only much growth would have been seen. */
  private boolean mayGrowUnseen() {
    return dry.unseenBytes > MOST_UNSEEN_BYTES;
  }

  private boolean isUnsound() {
    if (dry.growsBytes > 0) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Each use leaves %s in the object, so a kept one would grow forever: say with --reset"
                  + " how to empty it.",
              bytes(dry.growsBytes)));
    }
    if (dry.wearsOut != null) {
      reasons.add(
          "A kept one fails when it is used often ("
              + dry.wearsOut
              + "): say with --reset how to make it as good as new.");
    }
    if (leavesOutside(dry) && !known.close.isEmpty()) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Each object leaves %s outside of the heap until the collector finds it: say with"
                  + " --close '%s' how to free them.",
              bytes(dry.outsideBytes),
              known.close));
    }
    if (leaves(dry.threadsLeft, isShareable, hasClose)) {
      reasons.add(left(dry.threadsLeft, "thread", "running", "end"));
    }
    if (leaves(dry.filesLeft, isShareable, hasClose)) {
      reasons.add(left(dry.filesLeft, "file", "open", "close"));
    }
    if (measured == null || rounds() < Ratio.LEAST_ROUNDS) { // too few to speak of the machine, too
      return !reasons.isEmpty();
    }
    if (measured.unsettled() > FEW) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "It was still getting faster after six seconds of warm-up in %.0f%% of the forks.",
              100 * measured.unsettled()));
    }
    if (measured.disturbed() > FEW && !dry.isProcess) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Other programs used the processors during %.0f%% of the forks: close them, and ask"
                  + " again.",
              100 * measured.disturbed()));
    }
    return !reasons.isEmpty();
  }

  /** Whether nobody gives up what an object leaves behind; of one that is shared there are few. */
  private static boolean leaves(double left, boolean isShareable, boolean hasClose) {
    return left >= FEW && !isShareable && !hasClose;
  }

  private static String left(double count, String what, String how, String closing) {
    boolean isOne = count < 1.5;
    return String.format(
        Locale.ROOT,
        "Each object leaves %.0f %s%s %s: say with --close how to %s %s.",
        count,
        what,
        isOne ? "" : "s",
        how,
        closing,
        isOne ? "it" : "them");
  }

  private static boolean leavesOutside(DryRun dry) {
    return dry.outsideBytes >= LEAST_OUTSIDE_BYTES;
  }

  private Advice sharedOrNew() {
    Ratio ratio = measured.ratio(Way.NEW_ESCAPES, Way.SHARED);
    if (ratio.isAbove()) {
      reasons.add("Threads may use it at once, and a new one takes " + times(ratio) + ".");
      return Advice.SHARE;
    }
    if (measured.threads > 1 && ratio.isBelow()) {
      reasons.add(
          "Threads may share it, but they get in each other's way: sharing one takes "
              + times(measured.ratio(Way.SHARED, Way.NEW_ESCAPES))
              + " as making one.");
      return Advice.NEW;
    }
    reasons.add("Threads may share it; it costs no more than a new one, and makes no garbage.");
    return Advice.SHARE;
  }

  private Advice keptOrNew() {
    Ratio own = measured.ratio(Way.NEW_ESCAPES, Way.THREAD_LOCAL);
    double price = measured.extra(Way.NEW_ESCAPES, Way.HELD);
    double highest = Math.max(price, (own.high - 1) * measured.nanos(Way.THREAD_LOCAL));
    if (share(highest) < MATTERS) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "It does not matter: at %,.0f a second, new ones take at most %s%% of a processor (--rate"
                  + " says how often you use one). Take the simplest way, a new one each time.",
              rate,
              rounded(100 * share(highest))));
      return Advice.NEW;
    }
    boolean isNear = own.low < WORTH && own.high > WORTH;
    if (own.high < WORTH || own.isAbove() && own.ratio < WORTH) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Make a new one each time: it takes %s as one that is kept, %s more. Compared with"
                  + " its use that does not matter: take the simplest way.",
              times(own),
              nanos(Math.max(0, price))));
      sayIfNear(isNear);
      return Advice.NEW;
    }
    if (!own.isAbove()) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "A new one takes %s as one that is kept. More rounds may decide it (-f %d). Until"
                  + " they show a gain, take the simplest way, a new one each time.",
              times(own),
              2 * rounds()));
      return Advice.TOO_CLOSE;
    }
    Way pool = bestPool();
    Ratio lent = pool == null ? null : measured.ratio(Way.NEW_ESCAPES, pool);
    if (lent != null && lent.isAbove() && isScarce(price)) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Keep a few and lend them: a new one takes %s as one from a pool (%s).",
              times(lent),
              pool));
      sayIfNear(isNear);
      return Advice.POOL;
    }
    if (pool == null && price >= SCARCE_NANOS) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Keep a few and lend them: making one takes %s. What lending costs was not measured,"
                  + " because the pools failed: ask with fewer objects or with more memory (--objects,"
                  + " --heap).",
              nanos(price)));
      return Advice.POOL;
    }
    reasons.add("A new one takes " + times(own) + " as one that is kept.");
    sayIfNear(isNear);
    if (lent != null && lent.isBelow()) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Do not pool it: handing it over (%s, %s) costs more than making it.",
              pool,
              nanos(measured.extra(pool, Way.HELD))));
    }
    return Advice.ONE_PER_THREAD;
  }

  private void sayIfNear(boolean isNear) {
    if (isNear) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Its interval contains %.2f, from which on keeping one is worth the trouble: another run"
                  + " may say otherwise, and more rounds make it more certain (-f 10).",
              WORTH));
    }
  }

  private Advice tooFew(int rounds) {
    reasons.add(
        String.format(
            Locale.ROOT,
            "%d round%s no answer; that takes %d.",
            rounds,
            rounds == 1 ? " gives" : "s give",
            Ratio.LEAST_ROUNDS));
    return Advice.MEASUREMENT_UNSOUND;
  }

  /** Whether there should not be as many as there are threads. */
  private boolean isScarce(double price) {
    return price >= SCARCE_NANOS
        || leavesOutside(dry)
        || hasClose
        || measured.bytes(Way.NEW_ESCAPES) - measured.bytes(Way.HELD) >= SCARCE_BYTES;
  }

  /** The quicker of the two pools; null if neither was measured beside a new object. */
  private Way bestPool() {
    return Arrays.asList(Way.TURN_POOL, Way.POOL).stream()
        .filter(way -> measured.rounds(Way.NEW_ESCAPES, way) > 0)
        .min((one, other) -> Double.compare(measured.nanos(one), measured.nanos(other)))
        .orElse(null);
  }

  private void alsoDo() {
    if (measured == null || advice == Advice.MEASUREMENT_UNSOUND) {
      return;
    }
    if (isRemoved()) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "The compiler removed your object where nobody else could see it (NEW, %s): then it"
                  + " costs nothing, and there is nothing to keep.",
              nanos(measured.nanos(Way.NEW))));
    }
    if (!isShareable && measured.rounds(Way.POOL, Way.TURN_POOL) > 0) {
      Ratio queue = measured.ratio(Way.POOL, Way.TURN_POOL);
      if (queue.low > WORTH) {
        reasons.add(
            "With a queue (POOL) it takes " + times(queue) + " as with the turn pool (TURN_POOL).");
      }
    }
    if (leavesOutside(dry)) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Each object leaves %s outside of the heap until the collector finds it.",
              bytes(dry.outsideBytes)));
    }
    if (dry.threadsLeft >= FEW) {
      reasons.add(
          String.format(Locale.ROOT, "Each object leaves %.0f threads running.", dry.threadsLeft));
    }
    if (!known.instead.isEmpty()) {
      reasons.add("Or do without it: " + known.instead);
    }
  }

  private boolean isRemoved() {
    return measured.rounds(Way.NEW, Way.NEW_ESCAPES) >= Ratio.LEAST_ROUNDS
        && measured.ratio(Way.NEW, Way.NEW_ESCAPES).high < REMOVED
        && measured.extra(Way.NEW_ESCAPES, Way.NEW) > LEAST_REMOVED_NANOS
        && measured.bytes(Way.NEW) < measured.bytes(Way.NEW_ESCAPES) / 2;
  }

  // -------------------------------------------------------------------------- what is printed

  /** What was measured, after a comma; nothing without a measurement. */
  String cell() {
    return measured == null
        ? ""
        : String.format(
            Locale.ROOT,
            ", %d thread%s, Java %d, %s",
            measured.threads,
            measured.threads == 1 ? "" : "s",
            measured.jdk,
            measured.collector);
  }

  /** Nanoseconds of a use by way, the shortest first; empty without a measurement. */
  Map<Way, Double> times() {
    Map<Way, Double> times = new LinkedHashMap<>();
    if (measured != null) {
      Arrays.stream(Way.values())
          .filter(measured::has)
          .sorted(Comparator.comparingDouble(measured::nanos))
          .forEach(way -> times.put(way, measured.nanos(way)));
    }
    return times;
  }

  /** The price and the hand-overs, a line each; none without a measurement. */
  List<String> figures() {
    List<String> lines = new ArrayList<>();
    if (measured != null && measured.has(Way.HELD) && measured.has(Way.NEW_ESCAPES)) {
      double garbage = Math.max(0, measured.bytes(Way.NEW_ESCAPES) - measured.bytes(Way.HELD));
      if (price() < LEAST_SEEN_NANOS) {
        lines.add("to make       too little to be seen next to its use");
      } else {
        lines.add(
            String.format(
                Locale.ROOT,
                "to make       %s, %s; at %,.0f a second %s%% of a processor, %s MB of garbage a"
                    + " second",
                nanos(price()),
                bytes(garbage),
                rate,
                rounded(100 * share(price())),
                rounded(garbage * rate / 1e6)));
      }
      lines.add("to use        " + nanos(measured.nanos(Way.HELD)));
      String ways =
          times().keySet().stream()
              .filter(HAND_OVERS::contains)
              .map(way -> way + " " + nanos(Math.max(0, measured.extra(way, Way.HELD))))
              .collect(Collectors.joining(", "));
      lines.add("to hand over  " + ways);
    }
    return lines;
  }

  /** The share of a processor that new objects take at the rate of their uses. */
  private double share(double price) {
    return Math.max(0, price) * rate / NANOS_PER_SECOND;
  }

  /** Two figures without an exponent, or "no figure" for NaN. */
  static String rounded(double value) {
    if (!Double.isFinite(value)) {
      return "no figure";
    }
    BigDecimal shown = new BigDecimal(value).round(new MathContext(2)).stripTrailingZeros();
    return String.format(Locale.ROOT, "%,." + Math.max(0, shown.scale()) + "f", shown);
  }

  private double price() {
    return Math.max(0, measured.extra(Way.NEW_ESCAPES, Way.HELD));
  }

  /** One flat object for each way, for machines; one without figures if nothing was measured. */
  List<Map<String, Object>> rows(String type) {
    List<Map<String, Object>> rows = new ArrayList<>();
    Set<Way> ways = times().keySet();
    for (Way way : ways.isEmpty() ? Collections.<Way>singleton(null) : ways) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("object_class", type);
      row.put("advice", advice.name());
      row.put("why", String.join(" ", reasons));
      row.put("not_checked", String.join("; ", notChecked));
      row.put("jdk", measured == null ? null : measured.jdk);
      row.put("gc", measured == null ? null : measured.collector);
      row.put("threads", measured == null ? null : measured.threads);
      boolean hasPrice = ways.contains(Way.HELD) && ways.contains(Way.NEW_ESCAPES);
      row.put("price_ns", hasPrice ? price() : null);
      row.put("once_only", dry.onceOnly);
      row.put("grows_bytes", dry.growsBytes);
      row.put("outside_bytes", Double.isNaN(dry.outsideBytes) ? null : dry.outsideBytes);
      row.put("threads_left", dry.threadsLeft);
      row.put("files_left", dry.filesLeft);
      row.put("strategy", way == null ? null : way.name());
      boolean isCompared = way != null && measured.rounds(way, Way.NEW_ESCAPES) > 1;
      Ratio ratio = isCompared ? measured.ratio(Way.NEW_ESCAPES, way) : null;
      row.put("ns_per_op", way == null ? null : measured.nanos(way));
      row.put("bytes_per_op", way == null ? null : measured.bytes(way));
      row.put("times_as_fast_as_new", ratio == null ? null : ratio.ratio);
      row.put("low", ratio == null ? null : ratio.low);
      row.put("high", ratio == null ? null : ratio.high);
      row.put("rounds", ratio == null ? null : ratio.rounds);
      rows.add(row);
    }
    return rows;
  }

  private static String times(Ratio ratio) {
    return ratio + " times as long";
  }

  /** A time with its unit. */
  static String nanos(double nanos) {
    return nanos < LEAST_SEEN_NANOS
        ? "under 0.5 ns"
        : nanos < 1_000
            ? String.format(Locale.ROOT, "%.3g ns", nanos)
            : nanos < 1_000_000
                ? String.format(Locale.ROOT, "%.3g us", nanos / 1e3)
                : String.format(Locale.ROOT, "%.3g ms", nanos / 1e6);
  }

  /** A number of bytes with its unit. */
  static String bytes(double bytes) {
    return bytes < 10_000
        ? String.format(Locale.ROOT, "%,.0f byte%s", bytes, Math.round(bytes) == 1 ? "" : "s")
        : String.format(Locale.ROOT, "%,.0f kB", bytes / 1e3);
  }
}
