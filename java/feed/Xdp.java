package feed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of the feed: sizes and places of fields in bytes, little-endian, packed.
 *
 * <p>Source: the NYSE XDP Common and Integrated Feed client specifications (version 2.5 of the
 * layout), which are public. A place is counted from the first byte of its message.
 */
final class Xdp {
  static final int PACKET_HEADER = 16;
  static final int LARGEST_PACKET = 1400;
  static final int MESSAGE_HEADER = 4;

  // The packet's header.
  static final int PACKET_SIZE = 0;
  static final int DELIVERY_FLAG = 2;
  static final int NUMBER_OF_MESSAGES = 3;
  static final int SEQUENCE_NUMBER = 4;
  static final int SEND_TIME = 8;
  static final int SEND_TIME_NANOS = 12;

  static final int FLAG_HEARTBEAT = 1;
  static final int FLAG_ORIGINAL = 11;
  static final int FLAG_SEQUENCE_RESET = 12;

  // The message's header, and what follows it in most types.
  static final int MESSAGE_SIZE = 0;
  static final int MESSAGE_TYPE = 2;
  static final int SYMBOL = 8; // after SourceTimeNS
  static final int SYMBOL_SEQUENCE = 12;
  static final int LATE_SYMBOL = 12; // where SourceTime stands before SourceTimeNS: 105, 223, 34

  // Control messages.
  static final int SEQUENCE_RESET = 1;
  static final int SOURCE_TIME = 2;
  static final int SYMBOL_MAPPING = 3;
  static final int SECURITY_STATUS = 34;

  // Transaction messages: the twelve that are pooled.
  static final int ADD_ORDER = 100;
  static final int MODIFY_ORDER = 101;
  static final int DELETE_ORDER = 102;
  static final int EXECUTION = 103;
  static final int REPLACE_ORDER = 104;
  static final int IMBALANCE = 105;
  static final int TRADE = 110;
  static final int CROSS_TRADE = 111;
  static final int TRADE_CANCEL = 112;
  static final int CROSS_CORRECTION = 113;
  static final int RETAIL_INTEREST = 114;
  static final int STOCK_SUMMARY = 223;

  static final int TYPES = 256;

  /** The twelve, in the order of their numbers. */
  static final int[] TRANSACTIONS = {
    ADD_ORDER, MODIFY_ORDER, DELETE_ORDER, EXECUTION, REPLACE_ORDER, IMBALANCE,
    TRADE, CROSS_TRADE, TRADE_CANCEL, CROSS_CORRECTION, RETAIL_INTEREST, STOCK_SUMMARY
  };

  private static final int[] SIZES = new int[TYPES];
  private static final String[] NAMES = new String[TYPES];

  static {
    type(SEQUENCE_RESET, 14, "sequence number reset");
    type(SOURCE_TIME, 16, "source time reference");
    type(SYMBOL_MAPPING, 44, "symbol index mapping");
    type(SECURITY_STATUS, 46, "security status");
    type(ADD_ORDER, 39, "add order");
    type(MODIFY_ORDER, 35, "modify order");
    type(DELETE_ORDER, 25, "delete order");
    type(EXECUTION, 42, "execution");
    type(REPLACE_ORDER, 42, "replace order");
    type(IMBALANCE, 73, "imbalance");
    type(TRADE, 33, "non-displayed trade");
    type(CROSS_TRADE, 29, "cross trade");
    type(TRADE_CANCEL, 20, "trade cancel");
    type(CROSS_CORRECTION, 24, "cross correction");
    type(RETAIL_INTEREST, 17, "retail price improvement");
    type(STOCK_SUMMARY, 36, "stock summary");
  }

  private Xdp() {}

  private static void type(int type, int size, String name) {
    SIZES[type] = size;
    NAMES[type] = name;
  }

  /** The bytes of a message of this type, its header included; 0 for a type that is not known. */
  static int size(int type) {
    return type < TYPES ? SIZES[type] : 0;
  }

  /** Messages by type as rows: type, name, messages. */
  static List<Map<String, Object>> count(long[] counts) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int type = 0; type < TYPES; type++) {
      if (counts[type] > 0) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("type", type);
        row.put("name", name(type));
        row.put("messages", counts[type]);
        rows.add(row);
      }
    }
    return rows;
  }

  /** What the type is called; null if it is not known. */
  static String name(int type) {
    return type < TYPES ? NAMES[type] : null;
  }
}
