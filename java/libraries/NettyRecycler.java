// netty-common: the Recycler, a stack of objects for each thread.
//DEPS io.netty:netty-common:4.1.130.Final

package libraries;

import io.netty.util.Recycler;

/**
 * Adapter for Netty's Recycler, which has a different contract: every thread has its own objects,
 * and none ever waits.
 */
final class NettyRecycler implements PoolAdapter<NettyRecycler.Recycled> {
  /** An object and its way back. */
  static final class Recycled {
    private final Recycler.Handle<Recycled> handle;
    private final Expensive object;

    Recycled(Recycler.Handle<Recycled> handle, Expensive object) {
      this.handle = handle;
      this.object = object;
    }
  }

  private final Recycler<Recycled> recycler;

  NettyRecycler(Opening opening) {
    recycler =
        new Recycler<Recycled>() {
          @Override
          protected Recycled newObject(Handle<Recycled> handle) {
            return new Recycled(handle, opening.make());
          }
        };
  }

  @Override
  public Recycled borrow() {
    return recycler.get();
  }

  @Override
  public Expensive object(Recycled lease) {
    return lease.object;
  }

  @Override
  public void release(Recycled lease) {
    lease.handle.recycle(lease);
  }
}
