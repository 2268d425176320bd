package io.fairlead.worker.engine.embedded.device;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A bounded queue from one thread to one other, without locks and without allocation.
 *
 * <p>Head and tail only grow; the consumer owns head, the producer owns tail. An element is published by the release of tail and taken
 * over by its acquire, so everything the producer wrote before is visible to the consumer.
 */
final class HandoffRing<T> {

    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(HandoffRing.class, "head", long.class);
            TAIL = lookup.findVarHandle(HandoffRing.class, "tail", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object[] slots;
    private final int mask;

    @SuppressWarnings("unused") // Read and written through HEAD.
    private long head;

    @SuppressWarnings("unused") // Read and written through TAIL.
    private long tail;

    /** @param capacity a power of two */
    HandoffRing(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("not a power of two: " + capacity);
        }
        slots = new Object[capacity];
        mask = capacity - 1;
    }

    /** False when the ring is full. Producer only. */
    boolean offer(T element) {
        long at = (long) TAIL.getOpaque(this);
        if (at - (long) HEAD.getAcquire(this) == slots.length) {
            return false;
        }
        slots[(int) at & mask] = element;
        TAIL.setRelease(this, at + 1);
        return true;
    }

    /** The oldest element, or null. Consumer only. */
    @SuppressWarnings("unchecked") // Only offer() stores, and it takes a T.
    T poll() {
        long at = (long) HEAD.getOpaque(this);
        if (at == (long) TAIL.getAcquire(this)) {
            return null;
        }
        T element = (T) slots[(int) at & mask];
        slots[(int) at & mask] = null;
        HEAD.setRelease(this, at + 1);
        return element;
    }

    boolean isEmpty() {
        return (long) HEAD.getAcquire(this) == (long) TAIL.getAcquire(this);
    }
}
