package io.fairlead.platform.database;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that has started the embedded database and waits to be killed. */
final class EmbeddedDatabaseProcess {

    private EmbeddedDatabaseProcess() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println(EmbeddedDatabase.start(Path.of(arguments[0])).url());
        new CountDownLatch(1).await();
    }
}
