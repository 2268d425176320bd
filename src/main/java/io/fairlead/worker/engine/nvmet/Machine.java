package io.fairlead.worker.engine.nvmet;

import io.fairlead.contract.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** What the engine asks of the machine beside configfs. */
interface Machine {

    /** Changes with each boot: what configfs held before is gone. */
    String bootId();

    /** Kernel release, for example {@code 6.12.95}. */
    String kernelRelease();

    /** Why the kernel's target cannot be driven here by this process; empty when it can. */
    Optional<Missing> missing();

    /** What stands in the way; the text tells a person what to do. */
    record Missing(String code, String text) {}

    /** Why the transport cannot be served; empty when it can. */
    Optional<String> whyNot(Transport transport);

    boolean hasAddress(String traddr);

    /** A TCP port of the address that nobody listens on at present. */
    int freeTcpPort(String traddr) throws IOException;

    /**
     * What is at the path now.
     *
     * @throws IOException nothing, or neither file nor block device
     */
    Device inspect(Path path) throws IOException;
}
