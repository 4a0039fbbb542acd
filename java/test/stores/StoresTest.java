package stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store lends every object once, in the order that its name says, and then null. */
class StoresTest {
  @ParameterizedTest
  @EnumSource(value = Store.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void lendsEveryObjectInItsOrder(Store store) {
    Store.Shelf shelf = store.shelf(3);
    Set<Store.Item> lent = Collections.newSetFromMap(new IdentityHashMap<>());
    Store.Item first = shelf.take();
    Store.Item second = shelf.take();
    Store.Item third = shelf.take();
    Collections.addAll(lent, first, second, third);
    assertEquals(3, lent.size());
    assertNull(shelf.take());
    shelf.put(first);
    shelf.put(second);
    boolean isLifo = store.name().endsWith("LIFO") || store == Store.ARRAY_STACK;
    assertSame(isLifo ? second : first, shelf.take());
    assertSame(isLifo ? first : second, shelf.take());
    assertNull(shelf.take());
  }
}
