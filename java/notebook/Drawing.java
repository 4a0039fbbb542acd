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
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %1$d"
                + " %2$d\" role=\"img\" font-family=\"sans-serif\" font-size=\"13\"><title>%s</title>"
                + "<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\""
                + " markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\""
                + " fill=\"%s\"/></marker></defs>",
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
            250,
            "An array of eight places, drawn as a ring. Four hold objects: borrow takes from the front,"
                + " release puts at the end, and nothing is moved.");
    int middleX = 150;
    int middleY = 125;
    String[] names = {"A", "B", "C", "D", "", "", "", ""};
    for (int place = 0; place < names.length; place++) {
      double angle = 2 * Math.PI * (place - 2) / names.length;
      int x = (int) Math.round(middleX + 85 * Math.cos(angle));
      int y = (int) Math.round(middleY + 85 * Math.sin(angle));
      drawing.box(x - 20, y - 20, 40, names[place], names[place].isEmpty() ? EMPTY : CLEAN);
    }
    drawing.text(middleX, middleY - 4, "middle", "one array,");
    drawing.text(middleX, middleY + 14, "middle", "used as a ring");
    drawing.text(300, 45, "start", "front (A): pollFirst() borrows here");
    drawing.text(300, 75, "start", "LIFO: addFirst() releases here, too");
    drawing.text(300, 135, "start", "end (D): addLast() releases here (FIFO)");
    drawing.text(300, 195, "start", "Nothing is moved, only two indexes.");
    drawing.text(300, 215, "start", "If the ring is full, it grows: it has no limit.");
    return drawing.done();
  }

  /**
   * Where a dirty object goes in a pool that is first in, first out, and in one that is last in.
   */
  public static String fifoAndLifo() {
    Drawing drawing =
        new Drawing(
            640,
            260,
            "FIFO: the dirty object D goes to the end of the queue, and every fourth borrower gets it."
                + " LIFO: it is put in front, and the next borrower gets it, and the next.");
    drawing.text(
        20, 28, "start", "FIFO: the dirty one goes to the end. Every fourth user gets it.");
    drawing.row(150, 50, "A", "B", "C", "D");
    drawing.arrow(145, 73, 70, 73);
    drawing.text(66, 60, "start", "borrow");
    drawing.arrow(425, 73, 345, 73);
    drawing.text(360, 60, "start", "release");
    drawing.text(20, 158, "start", "LIFO: the dirty one lies on top. Everybody gets it.");
    drawing.row(150, 180, "D", "A", "B", "C");
    drawing.arrow(145, 192, 70, 192);
    drawing.text(66, 180, "start", "borrow");
    drawing.arrow(70, 216, 145, 216);
    drawing.text(66, 234, "start", "release");
    return drawing.done();
  }

  /** How a reader gets somebody else's text from a slot that is two things in two arrays. */
  public static String tornSlot() {
    Drawing drawing =
        new Drawing(
            640,
            250,
            "A slot has a key and a text. Thread 1 writes its key; before it writes its text, thread 2"
                + " finds its own key there, which is the same, and takes the old text.");
    drawing.text(20, 30, "start", "before");
    drawing.pair(20, 45, "BA", "BAX");
    drawing.text(180, 30, "start", "thread 1 writes the key of KDX");
    drawing.pair(230, 45, "KD", "BAX");
    drawing.text(450, 30, "start", "... and then the text");
    drawing.pair(470, 45, "KD", "KDX");
    drawing.arrow(130, 68, 222, 68);
    drawing.arrow(340, 68, 462, 68);
    drawing.arrow(276, 160, 276, 98);
    drawing.text(276, 182, "middle", "thread 2 wants KDX, comes by just now,");
    drawing.text(276, 202, "middle", "finds its key, and takes the text beside it: BAX");
    drawing.text(276, 230, "middle", "time runs from left to right");
    return drawing.done();
  }

  private void row(int x, int y, String... names) {
    for (int place = 0; place < names.length; place++) {
      box(x + place * BOX, y, BOX, names[place], names[place].equals("D") ? DIRTY : CLEAN);
    }
  }

  private void pair(int x, int y, String key, String text) {
    box(x, y, BOX, key, KEY);
    box(x + BOX, y, BOX, text, key.equals(text.substring(0, 2)) ? CLEAN : DIRTY);
  }

  private void box(int x, int y, int size, String name, String fill) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"%s\"/>",
            x,
            y,
            size,
            size,
            fill,
            LINE));
    text(x + size / 2, y + size / 2 + 5, "middle", name);
  }

  private void arrow(int fromX, int fromY, int toX, int toY) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"1.5\""
                + " marker-end=\"url(#head)\"/>",
            fromX,
            fromY,
            toX,
            toY,
            LINE));
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
