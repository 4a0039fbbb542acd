package zoo;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a tool has seen of a pool. Immutable. */
final class Seen {
  /** Whether it saw a mistake; null if it could not look. */
  final Boolean mistake;

  /** The shortest convincing evidence, or why it could not look. */
  final String evidence;

  /** Seconds that it took. */
  final double seconds;

  /** Rounds that were played, with the one in which the mistake was seen; null without rounds. */
  final Long rounds;

  private Seen(Boolean mistake, String evidence, double seconds, Long rounds) {
    this.mistake = mistake;
    this.evidence = evidence;
    this.seconds = seconds;
    this.rounds = rounds;
  }

  static Seen mistake(String evidence) {
    return new Seen(true, evidence, 0, null);
  }

  static Seen nothing(String evidence) {
    return new Seen(false, evidence, 0, null);
  }

  static Seen cannotLook(String why) {
    return new Seen(null, why, 0, null);
  }

  /** A tool that does not even see what is known to be wrong: what it says means nothing. */
  static Seen blind(String known) {
    return cannotLook("it does not even see " + known);
  }

  Seen after(double seconds) {
    return new Seen(mistake, evidence, seconds, rounds);
  }

  Seen in(long rounds) {
    return new Seen(mistake, evidence, seconds, rounds);
  }

  /** As a flat object. */
  Map<String, Object> row() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("sees_mistake", mistake);
    row.put("evidence", evidence);
    row.put("seconds", seconds);
    row.put("rounds", rounds);
    return row;
  }

  /** From such an object. */
  static Seen of(Map<String, Object> row) {
    return new Seen(
        (Boolean) row.get("sees_mistake"),
        (String) row.get("evidence"),
        ((Number) row.get("seconds")).doubleValue(),
        row.get("rounds") == null ? null : ((Number) row.get("rounds")).longValue());
  }
}
