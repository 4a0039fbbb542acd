//SOURCES ../zoo/Tiny.java
// This file stands for its package; `./workbook upkeep` lists the rest.
//SOURCES Breaking.java
//SOURCES Predict.java
//SOURCES Recorded.java
//SOURCES Waiting.java

package notebook;

import java.util.Locale;

/**
 * The drawings of the Java lessons, as SVG with a title for those who cannot see them. Each method
 * returns a whole picture, for {@code display(..., "image/svg+xml")}.
 */
public final class Drawing {
  private static final String LINE = "#444444";
  private static final String CLEAN = "#cfe8dd";
  private static final String DIRTY = "#f2b48f";
  private static final String EMPTY = "#ffffff";
  private static final String KEY = "#cfe0f2";
  private static final int BOX = 46;

  private final StringBuilder svg = new StringBuilder();

  private Drawing(int width, int height, String title) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " viewBox=\"0 0 %1$d %2$d\" role=\"img\" style=\"max-width:100%%;height:auto\""
                + " font-family=\"sans-serif\" font-size=\"16\"><title>%s</title>"
                + "<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\""
                + " markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\">"
                + "<path d=\"M0 0L10 5L0 10z\" fill=\"%s\"/></marker></defs>",
            width,
            height,
            title,
            LINE));
    svg.append(
        String.format(
            Locale.ROOT, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height));
  }

  /** A ring of references in an array, as an {@code ArrayDeque} has it. */
  public static String ring() {
    Drawing drawing =
        new Drawing(
            560,
            322,
            "An array of eight places, drawn as a ring. Four hold objects. A borrow takes the one"
                + " in front. A release puts one at the end (FIFO) or in front (LIFO). Nothing is"
                + " moved.");
    int middleX = 210;
    int middleY = 140;
    String[] names = {"A", "B", "C", "D", "", "", "", ""};
    for (int place = 0; place < names.length; place++) {
      double angle = 2 * Math.PI * (place - 2) / names.length;
      int x = (int) Math.round(middleX + 85 * Math.cos(angle));
      int y = (int) Math.round(middleY + 85 * Math.sin(angle));
      drawing.box(x - 20, y - 20, 40, 40, 0, names[place].isEmpty() ? EMPTY : CLEAN, names[place]);
    }
    drawing.text(middleX, middleY - 4, "middle", "one array,");
    drawing.text(middleX, middleY + 16, "middle", "used as a ring");
    drawing.text(344, 34, "start", "front:");
    drawing.text(344, 55, "start", "pollFirst() borrows A");
    drawing.arrow(232, 50, 336, 50);
    drawing.text(344, 236, "start", "end:");
    drawing.text(344, 257, "start", "addLast() releases");
    drawing.text(344, 278, "start", "(FIFO)");
    drawing.arrow(336, 232, 232, 232);
    drawing.text(12, 28, "start", "addFirst()");
    drawing.text(12, 49, "start", "releases (LIFO)");
    drawing.arrow(20, 80, 128, 80);
    drawing.text(12, 309, "start", "Nothing is moved, only two indexes. A full ring grows.");
    return drawing.done();
  }

  /** How an object gets two owners: one releases it and keeps its reference, one borrows it. */
  public static String twoOwners() {
    Drawing drawing =
        new Drawing(
            560,
            196,
            "Thread A has released an object and kept its reference. Thread B has borrowed the same"
                + " object. Both references point at it, so each overwrites what the other wrote.");
    drawing.box(12, 38, 100, 44, 12, EMPTY, "thread A");
    drawing.box(250, 30, 60, 60, 30, DIRTY, "order");
    drawing.box(448, 38, 100, 44, 12, EMPTY, "thread B");
    drawing.arrow(112, 60, 249, 60, "6 4");
    drawing.arrow(448, 60, 311, 60);
    drawing.text(180, 48, "middle", "old reference");
    drawing.text(380, 48, "middle", "new reference");
    drawing.step(116, "1", "A releases the order, and keeps its reference.");
    drawing.step(142, "2", "B borrows the same order.");
    drawing.step(168, "3", "Each overwrites what the other wrote.");
    return drawing.done();
  }

  /**
   * Where a dirty object goes in a pool that is first in, first out, and in one that is last in.
   */
  public static String fifoAndLifo() {
    Drawing drawing =
        new Drawing(
            500,
            250,
            "FIFO: the dirty object D goes to the end of the queue, and every fourth borrower gets"
                + " it. LIFO: it is put in front, and the next borrower gets it, and the next.");
    drawing.text(12, 28, "start", "FIFO: every fourth user gets the dirty one, D.");
    drawing.row(150, 50, "A", "B", "C", "D");
    drawing.arrow(145, 73, 70, 73);
    drawing.text(66, 62, "start", "borrow");
    drawing.arrow(425, 73, 340, 73);
    drawing.text(360, 62, "start", "release");
    drawing.text(12, 150, "start", "LIFO: the dirty one lies on top. Everybody gets it.");
    drawing.row(150, 176, "D", "A", "B", "C");
    drawing.arrow(145, 188, 70, 188);
    drawing.text(66, 177, "start", "borrow");
    drawing.arrow(70, 212, 145, 212);
    drawing.text(66, 234, "start", "release");
    return drawing.done();
  }

  /** What a long from memory has in it, beside the text, and what is left after two shifts. */
  public static String eightBytes() {
    Drawing drawing =
        new Drawing(
            540,
            280,
            "Eight bytes of memory. The text KDX has three of them, its neighbour the other five."
                + " getLong reads all eight. Two shifts keep the three and make the five zero.");
    drawing.text(89, 26, "middle", "the text");
    drawing.text(273, 26, "middle", "its neighbour");
    String[] bytes = {"K", "D", "X", "B", "A", "X", "Y", "Z"};
    for (int place = 0; place < bytes.length; place++) {
      boolean kept = place < 3;
      int x = 20 + place * BOX;
      drawing.box(x, 38, BOX, BOX, 0, kept ? CLEAN : DIRTY, bytes[place]);
      drawing.box(x, 158, BOX, BOX, 0, kept ? CLEAN : EMPTY, kept ? bytes[place] : "0");
    }
    drawing.text(398, 57, "start", "getLong");
    drawing.text(398, 78, "start", "reads all eight");
    drawing.arrow(204, 90, 204, 152);
    drawing.text(216, 126, "start", "&lt;&lt; 40, then &gt;&gt;&gt; 40");
    drawing.text(398, 187, "start", "the key");
    drawing.text(20, 238, "start", "The two shifts keep the bytes of the text,");
    drawing.text(20, 260, "start", "and make those of its neighbour zero.");
    return drawing.done();
  }

  /** How a reader gets somebody else's text from a slot that is two things in two arrays. */
  public static String tornSlot() {
    Drawing drawing =
        new Drawing(
            560,
            250,
            "A slot has a key and a text. Thread 1 writes its key. Before it writes its text,"
                + " thread 2 finds its own key there, which is the same, and takes the old text.");
    drawing.text(66, 24, "middle", "before");
    drawing.pair(20, 56, "BA", "BAX");
    drawing.text(276, 24, "middle", "thread 1 writes the key");
    drawing.pair(230, 56, "KD", "BAX");
    drawing.text(492, 24, "middle", "then the text");
    drawing.pair(446, 56, "KD", "KDX");
    drawing.arrow(114, 79, 226, 79);
    drawing.arrow(324, 79, 442, 79);
    drawing.arrow(276, 160, 276, 106);
    drawing.text(276, 182, "middle", "thread 2 wants KDX, comes by just now,");
    drawing.text(276, 204, "middle", "finds its key, and takes the text beside it: BAX");
    drawing.text(276, 234, "middle", "time runs from left to right");
    return drawing.done();
  }

  /** Why a slot that refers to one entry is never torn. */
  public static String oneEntry() {
    Drawing drawing =
        new Drawing(
            520,
            270,
            "A slot has a reference to an entry, and the entry has a key and a text. Thread 1"
                + " makes a new entry and changes the reference in one step. So a reader gets key"
                + " and text of the same entry, both or neither.");
    drawing.text(43, 96, "middle", "slot");
    drawing.box(20, 104, BOX, BOX, 0, EMPTY, "");
    drawing.pair(300, 40, "BA", "BAX");
    drawing.pair(300, 156, "KD", "KDX");
    drawing.text(402, 69, "start", "old entry");
    drawing.text(402, 185, "start", "new entry");
    drawing.arrow(43, 127, 296, 66, "6 4");
    drawing.arrow(43, 127, 296, 178);
    drawing.text(150, 76, "middle", "before");
    drawing.text(150, 184, "middle", "after one step");
    drawing.text(20, 232, "start", "A reader follows the reference once.");
    drawing.text(20, 254, "start", "It gets key and text of one entry, both or neither.");
    return drawing.done();
  }

  private void step(int y, String number, String words) {
    box(10, y - 10, 20, 20, 3, EMPTY, number);
    text(38, y + 6, "start", words);
  }

  private void row(int x, int y, String... names) {
    for (int place = 0; place < names.length; place++) {
      String fill = names[place].equals("D") ? DIRTY : CLEAN;
      box(x + place * BOX, y, BOX, BOX, 0, fill, names[place]);
    }
  }

  private void pair(int x, int y, String key, String text) {
    text(x + BOX / 2, y - 6, "middle", "key");
    text(x + BOX + BOX / 2, y - 6, "middle", "text");
    box(x, y, BOX, BOX, 0, KEY, key);
    box(x + BOX, y, BOX, BOX, 0, key.equals(text.substring(0, 2)) ? CLEAN : DIRTY, text);
  }

  private void box(int x, int y, int width, int height, int corner, String fill, String name) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\""
                + " stroke=\"%s\"/>",
            x,
            y,
            width,
            height,
            corner,
            fill,
            LINE));
    if (!name.isEmpty()) {
      text(x + width / 2, y + height / 2 + 6, "middle", name);
    }
  }

  private void arrow(int fromX, int fromY, int toX, int toY) {
    arrow(fromX, fromY, toX, toY, "none");
  }

  private void arrow(int fromX, int fromY, int toX, int toY, String dashes) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"1.5\""
                + " stroke-dasharray=\"%s\" marker-end=\"url(#head)\"/>",
            fromX,
            fromY,
            toX,
            toY,
            LINE,
            dashes));
  }

  private void text(int x, int y, String anchor, String words) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"#222222\">%s</text>",
            x,
            y,
            anchor,
            words));
  }

  private String done() {
    return svg.append("</svg>").toString();
  }
}
