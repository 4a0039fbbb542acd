package feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pools.ArrayDequePool;

/** The feed: what is written is read as it was meant, and nothing broken gets through. */
class FeedTest {
  private static final int MESSAGES = 50_000;
  private static final int SYMBOLS = 60;

  @TempDir static Path folder;
  private static Path day;
  private static long[] written;

  @BeforeAll
  static void makeADay() throws IOException {
    day = folder.resolve("day.bin");
    written = generate(day, MESSAGES, SYMBOLS, 7);
  }

  private static long[] generate(Path file, long messages, int symbols, long seed)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      Generator generator = new Generator(messages, symbols, seed, channel);
      generator.run(done -> {});
      return generator.counts();
    }
  }

  // ------------------------------------------------------------------- what a message means

  private static ByteBuffer hex(String text) {
    String digits = text.replace(" ", "");
    ByteBuffer bytes =
        ByteBuffer.allocateDirect(digits.length() / 2).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < digits.length(); i += 2) {
      bytes.put((byte) Integer.parseInt(digits.substring(i, i + 2), 16));
    }
    bytes.flip();
    return bytes;
  }

  private static final ByteBuffer ADD =
      hex(
          "2700 6400 15cd5b07 2a000000 07000000 b168de3a00000000 40e20100 f4010000 42"
              + " 4f424a5031 00");
  private static final ByteBuffer DELETE =
      hex("1900 6600 16cd5b07 2a000000 08000000 b168de3a00000000 00");

  @Test
  void theGoldenAddOrderIsReadAsItWasMeant() {
    assertEquals(Xdp.size(Xdp.ADD_ORDER), ADD.getShort(0));
    Messages.AddOrder order = (Messages.AddOrder) Messages.make(ADD.getShort(2));
    order.read(ADD, 0, Xdp.ADD_ORDER);
    assertEquals(123456789, order.sourceTimeNanos);
    assertEquals(42, order.symbol);
    assertEquals(7, order.symbolSequence);
    assertEquals(987654321, order.orderId);
    assertEquals(123456, order.price);
    assertEquals(500, order.volume);
    assertEquals('B', order.side);
    ByteBuffer firm = ByteBuffer.allocate(5).order(ByteOrder.LITTLE_ENDIAN);
    firm.putInt(order.firm).put(order.firmLast);
    assertEquals("OBJP1", new String(firm.array()));
  }

  @Test
  void theGoldenDeleteOrderIsReadAsItWasMeant() {
    assertEquals(Xdp.size(Xdp.DELETE_ORDER), DELETE.getShort(0));
    Messages.DeleteOrder order = (Messages.DeleteOrder) Messages.make(DELETE.getShort(2));
    order.read(DELETE, 0, Xdp.DELETE_ORDER);
    assertEquals(123456790, order.sourceTimeNanos);
    assertEquals(42, order.symbol);
    assertEquals(8, order.symbolSequence);
    assertEquals(987654321, order.orderId);
  }

  @Test
  void theCombinedMessageReadsTheSame() {
    CombinedMessage order = new CombinedMessage();
    order.read(ADD, 0, Xdp.ADD_ORDER);
    assertEquals(Xdp.ADD_ORDER, order.type);
    assertEquals(987654321, order.orderId);
    assertEquals(500, order.volume);
    order.read(DELETE, 0, Xdp.DELETE_ORDER);
    assertEquals(Xdp.DELETE_ORDER, order.type);
    assertEquals(8, order.symbolSequence);
  }

  // --------------------------------------------------------------------------- its arrangement

  @Test
  void theSortedDayHasTheSameMessagesAndEachTypeInOnePieceOfAGroup() throws IOException {
    Path sorted = Arrangement.SORTED.of(day);
    try (MarketFile file = new MarketFile(sorted)) {
      Types types = new Types();
      Replay replay = new Replay(file);
      assertEquals(SYMBOLS, Symbols.of(file).last());
      for (int group = 0; group < MESSAGES / Arrangement.GROUP; group++) {
        types.last = 0;
        assertEquals(Arrangement.GROUP, replay.run(Arrangement.GROUP, false, types));
      }
      assertEquals(0, replay.run(1, false, types));
      for (int type : Xdp.TRANSACTIONS) {
        assertEquals(written[type], types.counts[type], Xdp.name(type));
      }
    }
  }

  /** Counts the types of messages, and refuses one that is lower than the one before. */
  private static final class Types implements Visitor {
    private final long[] counts = new long[Xdp.TYPES];
    private int last;

    @Override
    public void message(ByteBuffer buffer, int at, int type) {
      assertTrue(type >= last, last + " before " + type);
      last = type;
      counts[type]++;
    }
  }

  // ---------------------------------------------------------------------------- the generator

  @Test
  void theSameSeedGivesTheSameBytesAndAnotherSeedOthers() throws IOException {
    generate(folder.resolve("same.bin"), MESSAGES, SYMBOLS, 7);
    generate(folder.resolve("other.bin"), MESSAGES, SYMBOLS, 8);
    byte[] bytes = Files.readAllBytes(day);
    assertTrue(Arrays.equals(bytes, Files.readAllBytes(folder.resolve("same.bin"))));
    assertTrue(!Arrays.equals(bytes, Files.readAllBytes(folder.resolve("other.bin"))));
  }

  /** Computed once on JDK 17; any JDK must give the same. */
  @Test
  void theBytesAreThoseOfEveryJdk() throws IOException {
    assertEquals(DAY_HASH, Arrays.hashCode(Files.readAllBytes(day)));
  }

  private static final int DAY_HASH = -667098322;

  @Test
  void allTwelveTypesOccurInTheirShares() {
    long transactions = 0;
    for (int type : Xdp.TRANSACTIONS) {
      assertTrue(written[type] > 0, "no " + Xdp.name(type));
      transactions += written[type];
    }
    assertEquals(MESSAGES, transactions);
    assertEquals(0.438, (double) written[Xdp.ADD_ORDER] / transactions, 0.02);
    assertEquals(0.420, (double) written[Xdp.DELETE_ORDER] / transactions, 0.04);
    assertEquals(0.087, (double) written[Xdp.REPLACE_ORDER] / transactions, 0.01);
    assertEquals(0.025, (double) written[Xdp.EXECUTION] / transactions, 0.005);
    assertEquals(0.013, (double) written[Xdp.IMBALANCE] / transactions, 0.003);
    assertEquals(1, written[Xdp.SEQUENCE_RESET]);
    assertEquals(SYMBOLS, written[Xdp.SYMBOL_MAPPING]);
    assertEquals(SYMBOLS, written[Xdp.SECURITY_STATUS]);
  }

  @Test
  void everythingInItIsTrue() throws IOException {
    try (MarketFile file = new MarketFile(day)) {
      Verifier verifier = new Verifier(Symbols.of(file).last());
      Replay replay = new Replay(file);
      assertEquals(MESSAGES, replay.run(Long.MAX_VALUE, false, verifier));
      assertTrue(Arrays.equals(written, verifier.counts()));
      assertEquals(0, replay.unknown());
    }
  }

  // ----------------------------------------------------------------------------- the strategies

  private static Handling contender(
      Handling.Strategy strategy, Source.Layout layout, int pools, Source.Choice choice) {
    return new Handling(
        strategy,
        layout,
        Handling.Fill.REAL,
        pools,
        choice,
        ArrayDequePool.Order.LIFO,
        Handling.Lookup.STRING);
  }

  private static long checksum(Handling contender, long messages) throws IOException {
    try (MarketFile file = new MarketFile(day)) {
      Symbols symbols = Symbols.of(file);
      Book book = new Book(symbols.last());
      new Replay(file).run(messages, true, contender.visitor(symbols, book));
      return book.checksum();
    }
  }

  @Test
  void allContendersComeToTheSameBook() throws IOException {
    long expected =
        checksum(
            contender(Handling.Strategy.FLYWEIGHT, Source.Layout.TYPES, 1, Source.Choice.SWITCH),
            120_000);
    assertNotEquals(0, expected);
    for (Source.Layout layout : Source.Layout.values()) {
      for (Handling.Strategy strategy :
          new Handling.Strategy[] {
            Handling.Strategy.NEW,
            Handling.Strategy.NEW_ESCAPES,
            Handling.Strategy.SHARED,
            Handling.Strategy.POOL
          }) {
        for (Source.Choice choice : Source.Choice.values()) {
          for (int pools : new int[] {1, 2, 4, 12}) {
            Handling contender = contender(strategy, layout, pools, choice);
            assertEquals(expected, checksum(contender, 120_000), contender + " " + choice);
          }
        }
      }
    }
  }

  @Test
  void lapsBeginAgainWithTheFirstPacket() throws IOException {
    try (MarketFile file = new MarketFile(day)) {
      Replay replay = new Replay(file);
      Visitor nothing = (buffer, at, type) -> {};
      assertEquals(2L * MESSAGES + 5, replay.run(2L * MESSAGES + 5, true, nothing));
      assertEquals(2, replay.laps());
    }
  }

  @Test
  void whereThePiecesOfABigFileMeetNothingIsLost() throws IOException {
    try (MarketFile pieces = new MarketFile(day, 70_001);
        MarketFile whole = new MarketFile(day)) {
      Book one = new Book(SYMBOLS);
      Book other = new Book(SYMBOLS);
      assertEquals(3L * MESSAGES, new Replay(pieces).run(3L * MESSAGES, true, new Flyweight(one)));
      assertEquals(3L * MESSAGES, new Replay(whole).run(3L * MESSAGES, true, new Flyweight(other)));
      assertEquals(other.checksum(), one.checksum());
      assertNotEquals(0, one.checksum());
    }
  }

  // ------------------------------------------------------------------------------- broken files

  private static String problem(byte[] bytes, boolean verify) throws IOException {
    Path file = Files.createTempFile(folder, "broken", ".bin");
    Files.write(file, bytes);
    try (MarketFile market = new MarketFile(file)) {
      int last = SYMBOLS;
      Visitor visitor = verify ? new Verifier(last) : new Flyweight(new Book(last));
      return assertThrows(
              BadFeed.class, () -> new Replay(market).run(Long.MAX_VALUE, false, visitor))
          .getMessage();
    }
  }

  @Test
  void aGzipFileIsUnpackedUpToALimit() throws IOException {
    Path file = folder.resolve("zeros.bin.gz");
    try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
      packed.write(new byte[100_000]);
    }
    assertEquals(
        file + " unpacks to more than 99,999 bytes: unpack it, and name the plain file",
        assertThrows(IllegalArgumentException.class, () -> new MarketFile(file, 1 << 29, 99_999))
            .getMessage());
    try (MarketFile whole = new MarketFile(file, 1 << 29, 100_000)) {
      assertEquals(100_000, whole.size());
    }
  }

  private static byte[] start(int messages) throws IOException {
    byte[] bytes = Files.readAllBytes(day);
    return Arrays.copyOf(bytes, messages);
  }

  /** The offset of the first message of this type, and of its packet. */
  private static int[] first(byte[] bytes, int type) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int packet = 0; ; packet += buffer.getShort(packet)) {
      int at = packet + Xdp.PACKET_HEADER;
      for (int i = 0; i < buffer.get(packet + Xdp.NUMBER_OF_MESSAGES); i++) {
        if (buffer.getShort(at + Xdp.MESSAGE_TYPE) == type) {
          return new int[] {at, packet};
        }
        at += buffer.getShort(at);
      }
    }
  }

  private static String changed(int place, int bytes, long value, boolean verify)
      throws IOException {
    byte[] day = start((int) Files.size(FeedTest.day));
    ByteBuffer buffer = ByteBuffer.wrap(day).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes == 1) {
      buffer.put(place, (byte) value);
    } else if (bytes == 2) {
      buffer.putShort(place, (short) value);
    } else if (bytes == 4) {
      buffer.putInt(place, (int) value);
    } else {
      buffer.putLong(place, value);
    }
    return problem(day, verify);
  }

  @Test
  void whatIsBrokenIsNamedWithItsPlace() throws IOException {
    byte[] bytes = Files.readAllBytes(day);
    int[] add = first(bytes, Xdp.ADD_ORDER);
    int[] delete = first(bytes, Xdp.DELETE_ORDER);
    int[] execution = first(bytes, Xdp.EXECUTION);
    assertEquals(
        "byte " + add[0] + ": MsgSize 38 of type 100, which has 39 bytes",
        changed(add[0], 2, 38, false));
    assertTrue(
        changed(add[0], 2, 2000, false)
            .startsWith("byte " + add[0] + ": MsgSize 2000 where the packet has "));
    assertTrue(changed(add[0], 2, 3, false).startsWith("byte " + add[0] + ": MsgSize 3 where"));
    assertTrue(
        changed(add[1], 2, 15, false)
            .startsWith("byte " + add[1] + ": PktSize 15 where the file has "));
    assertTrue(
        changed(add[1] + Xdp.SEQUENCE_NUMBER, 4, 5, false)
            .startsWith("byte " + add[1] + ": SeqNum 5 where "));
    assertTrue(
        changed(add[1] + Xdp.NUMBER_OF_MESSAGES, 1, 200, false)
            .contains("the packet ends before its last message"));
    assertTrue(
        changed(add[0] + Xdp.SYMBOL, 4, 1_000_000, false)
            .equals("byte " + add[0] + ": a symbol that was not announced"));
    assertTrue(
        changed(delete[0] + 16, 8, 123, true)
            .equals("byte " + delete[0] + ": order 123 is not live"));
    assertTrue(changed(execution[0] + 32, 4, 999_999, true).endsWith("999999 are filled"));
    assertTrue(
        changed(add[0] + Xdp.SYMBOL_SEQUENCE, 4, 77, true).contains("SymbolSeqNum 77 of symbol "));
    assertEquals("byte 0: only 7 bytes left, a packet's header has 16", problem(start(7), false));
    assertEquals("byte 0: the file is empty", problem(new byte[0], false));
  }

  @Test
  void aMistakeOfTheVisitorIsNotBlamedOnTheFeed() throws IOException {
    Visitor careless =
        (buffer, at, type) -> {
          throw new IndexOutOfBoundsException("of my own");
        };
    try (MarketFile market = new MarketFile(day)) {
      assertEquals(
          "of my own",
          assertThrows(
                  IndexOutOfBoundsException.class, () -> new Replay(market).run(1, false, careless))
              .getMessage());
    }
  }

  @Test
  void twoReadersOfOneFileKeepTheirOwnPlaces() throws IOException {
    Book one = new Book(SYMBOLS);
    Book other = new Book(SYMBOLS);
    Book alone = new Book(SYMBOLS);
    try (MarketFile pieces = new MarketFile(day, 70_001);
        MarketFile whole = new MarketFile(day)) {
      Replay first = new Replay(pieces);
      Replay second = new Replay(pieces);
      for (int i = 0; i < 10; i++) {
        first.run(MESSAGES / 10, true, new Flyweight(one));
        second.run(MESSAGES / 10, true, new Flyweight(other));
      }
      new Replay(whole).run(10L * (MESSAGES / 10), true, new Flyweight(alone));
    }
    assertEquals(alone.checksum(), one.checksum());
    assertEquals(alone.checksum(), other.checksum());
  }

  @Test
  void unknownTypesInAWholePacketAreCountedAndSkipped() throws IOException {
    byte[] bytes = Files.readAllBytes(day);
    int[] add = first(bytes, Xdp.IMBALANCE);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putShort(add[0] + Xdp.MESSAGE_TYPE, (short) 999);
    Path file = folder.resolve("unknown.bin");
    Files.write(file, bytes);
    try (MarketFile market = new MarketFile(file)) {
      Replay replay = new Replay(market);
      assertEquals(
          MESSAGES - 1, replay.run(Long.MAX_VALUE, false, new Flyweight(new Book(SYMBOLS))));
      assertEquals(1, replay.unknown());
    }
  }

  @Test
  void aMessageLongerThanItsTypeIsReadAndSteppedOver() throws IOException {
    ByteBuffer packet = ByteBuffer.allocateDirect(16 + 44 + 41).order(ByteOrder.LITTLE_ENDIAN);
    packet.putShort(0, (short) packet.limit()).put(2, (byte) 11).put(3, (byte) 2).putInt(4, 1);
    packet.putShort(16, (short) 44).putShort(18, (short) Xdp.SYMBOL_MAPPING).putInt(20, 1);
    packet.putShort(60, (short) 41).putShort(62, (short) Xdp.ADD_ORDER).putInt(68, 1);
    Book book = new Book(1);
    assertEquals(
        1, new Replay(new MarketFile(packet)).run(Long.MAX_VALUE, false, new Flyweight(book)));
    assertEquals(1, book.liveOrders(1));
  }

  @Test
  void aFeedWithoutTransactionsEndsInsteadOfGoingRoundForEver() throws IOException {
    byte[] bytes = Files.readAllBytes(day);
    Path file = folder.resolve("control.bin");
    Files.write(file, Arrays.copyOf(bytes, first(bytes, Xdp.SYMBOL_MAPPING)[1]));
    try (MarketFile market = new MarketFile(file)) {
      assertThrows(BadFeed.class, () -> new Replay(market).run(1, true, (buffer, at, type) -> {}));
    }
  }

  /**
   * Whatever the bytes are, the reader ends with an answer or with BadFeed, and with nothing else.
   */
  @Test
  void noiseIsRefusedOrReadButNeverCrashes() throws IOException {
    Random random = new Random(1);
    byte[] good = Arrays.copyOf(Files.readAllBytes(day), 40_000);
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = Arrays.copyOf(good, 1 + random.nextInt(good.length));
      for (int i = random.nextInt(6); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Path file = folder.resolve("noise.bin");
      Files.write(file, bytes);
      try (MarketFile market = new MarketFile(file)) {
        Symbols symbols = Symbols.of(market);
        new Replay(market).run(Long.MAX_VALUE, false, new Verifier(symbols.last()));
      } catch (BadFeed e) {
        assertTrue(e.getMessage().startsWith("byte "), e.getMessage());
      }
    }
  }
}
