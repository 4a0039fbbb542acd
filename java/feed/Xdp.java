package feed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of the feed: sizes and offsets of fields in bytes, little-endian, packed.
 *
 * <p>Source: the NYSE XDP Common and Integrated Feed client specifications (version 2.5 of the
 * layout), which are public. Offsets are counted from the first byte of the message.
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

  // The message's header, and the fields that follow it in most types.
  static final int MESSAGE_SIZE = 0;
  static final int MESSAGE_TYPE = 2;
  static final int SOURCE_TIME_NANOS = 4;
  static final int SYMBOL = 8;
  static final int SYMBOL_SEQUENCE = 12;

  // In 34, 105 and 223 the time in seconds comes before the nanoseconds.
  static final int LATE_SOURCE_TIME = 4;
  static final int LATE_SOURCE_TIME_NANOS = 8;
  static final int LATE_SYMBOL = 12;
  static final int LATE_SYMBOL_SEQUENCE = 16;
  static final int LATE_FIELDS =
      20; // of 34 and 105; 223 has no sequence number, and its fields begin at 16

  static final int SEQUENCE_AFTER_SYMBOL = 4; // relative to the symbol's offset
  static final int ORDER_ID = 16; // of 100 to 104

  // Control messages.
  static final int SEQUENCE_RESET = 1;
  static final int SOURCE_TIME = 2;
  static final int SYMBOL_MAPPING = 3;
  static final int SECURITY_STATUS = 34;

  // Transaction messages: the twelve pooled types.
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

  /** The twelve types, in the order of their numbers. */
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

  /** The size of a message of this type in bytes, including its header; 0 for an unknown type. */
  static int size(int type) {
    return type < TYPES ? SIZES[type] : 0;
  }

  /** Where a transaction message of this type has its symbol. */
  static int symbolAt(int type) {
    return type == IMBALANCE || type == STOCK_SUMMARY ? LATE_SYMBOL : SYMBOL;
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

  /** The name of the type; null if unknown. */
  static String name(int type) {
    return type < TYPES ? NAMES[type] : null;
  }

  /** The sequence starts again (type 1). */
  static final class SequenceReset {
    static final int SOURCE_TIME = 4;
    static final int SOURCE_TIME_NANOS = 8;
    static final int PRODUCT_ID = 12;
    static final int CHANNEL_ID = 13;

    private SequenceReset() {}
  }

  /** A second has begun (type 2); its symbol and sequence number come before the time. */
  static final class SourceTime {
    static final int SYMBOL = 4;
    static final int SYMBOL_SEQUENCE = 8;
    static final int SOURCE_TIME = 12;

    private SourceTime() {}
  }

  /** Maps a symbol's index to its name (type 3). */
  static final class SymbolMapping {
    static final int SYMBOL = 4;
    static final int NAME = 8;
    static final int MARKET = 20;
    static final int SYSTEM = 22;
    static final int EXCHANGE = 23;
    static final int PRICE_SCALE = 24;
    static final int SECURITY_TYPE = 25;
    static final int LOT_SIZE = 26;
    static final int CLOSE = 28;
    static final int CLOSE_VOLUME = 32;
    static final int PRICE_RESOLUTION = 36;
    static final int ROUND_LOT = 37;
    static final int MINIMUM_TICK = 38;
    static final int UNIT_OF_TRADE = 40;

    private SymbolMapping() {}
  }

  /** Whether a symbol is traded (type 34). */
  static final class SecurityStatus {
    static final int STATUS = 20;
    static final int HALT = 21;
    static final int SHORT_SALE_EXCHANGE = 34;
    static final int SHORT_SALE = 43;
    static final int MARKET_STATE = 44;
    static final int SESSION = 45;

    private SecurityStatus() {}
  }

  /** Type 100. */
  static final class AddOrder {
    static final int ORDER_ID = 16;
    static final int PRICE = 24;
    static final int VOLUME = 28;
    static final int SIDE = 32;
    static final int FIRM = 33;
    static final int FIRM_LAST = 37;
    static final int RESERVED = 38;

    private AddOrder() {}
  }

  /** Type 101. */
  static final class ModifyOrder {
    static final int ORDER_ID = 16;
    static final int PRICE = 24;
    static final int VOLUME = 28;
    static final int POSITION_CHANGE = 32;
    static final int SIDE = 33;
    static final int RESERVED = 34;

    private ModifyOrder() {}
  }

  /** Type 102. */
  static final class DeleteOrder {
    static final int ORDER_ID = 16;
    static final int RESERVED = 24;

    private DeleteOrder() {}
  }

  /** Type 103. */
  static final class Execution {
    static final int ORDER_ID = 16;
    static final int TRADE_ID = 24;
    static final int PRICE = 28;
    static final int VOLUME = 32;
    static final int PRINTABLE = 36;
    static final int RESERVED = 37;
    static final int CONDITION = 38;

    private Execution() {}
  }

  /** Type 104. */
  static final class ReplaceOrder {
    static final int ORDER_ID = 16;
    static final int NEW_ORDER_ID = 24;
    static final int PRICE = 32;
    static final int VOLUME = 36;
    static final int SIDE = 40;
    static final int RESERVED = 41;

    private ReplaceOrder() {}
  }

  /** Type 105. */
  static final class Imbalance {
    static final int REFERENCE_PRICE = 20;
    static final int PAIRED_QUANTITY = 24;
    static final int TOTAL_IMBALANCE = 28;
    static final int MARKET_IMBALANCE = 32;
    static final int AUCTION_TIME = 36;
    static final int AUCTION_TYPE = 38;
    static final int IMBALANCE_SIDE = 39;
    static final int BOOK_CLEARING_PRICE = 40;
    static final int INTEREST_CLEARING_PRICE = 44;
    static final int FILING_PRICE = 48;
    static final int INDICATIVE_PRICE = 52;
    static final int UPPER_COLLAR = 56;
    static final int LOWER_COLLAR = 60;
    static final int AUCTION_STATUS = 64;
    static final int FREEZE_STATUS = 65;
    static final int EXTENSIONS = 66;
    static final int UNPAIRED_QUANTITY = 67;
    static final int UNPAIRED_SIDE = 71;
    static final int SIGNIFICANT = 72;

    private Imbalance() {}
  }

  /** Type 110. */
  static final class Trade {
    static final int TRADE_ID = 16;
    static final int PRICE = 20;
    static final int VOLUME = 24;
    static final int PRINTABLE = 28;
    static final int CONDITION = 29;

    private Trade() {}
  }

  /** Type 111. */
  static final class CrossTrade {
    static final int CROSS_ID = 16;
    static final int PRICE = 20;
    static final int VOLUME = 24;
    static final int CROSS_TYPE = 28;

    private CrossTrade() {}
  }

  /** Type 112. */
  static final class TradeCancel {
    static final int TRADE_ID = 16;

    private TradeCancel() {}
  }

  /** Type 113. */
  static final class CrossCorrection {
    static final int CROSS_ID = 16;
    static final int VOLUME = 20;

    private CrossCorrection() {}
  }

  /** Type 114. */
  static final class RetailInterest {
    static final int INDICATOR = 16;

    private RetailInterest() {}
  }

  /** Type 223. */
  static final class StockSummary {
    static final int HIGH = 16;
    static final int LOW = 20;
    static final int OPEN = 24;
    static final int CLOSE = 28;
    static final int TOTAL_VOLUME = 32;

    private StockSummary() {}
  }
}
