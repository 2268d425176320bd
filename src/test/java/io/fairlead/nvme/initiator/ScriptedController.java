package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.LE16;
import static io.fairlead.nvme.initiator.HostCommand.LE32;
import static io.fairlead.nvme.initiator.HostCommand.LE64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fairlead.nvme.auth.AuthController;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A controller that answers well, except where a test has it do otherwise. */
final class ScriptedController implements HostQueue {

    static final int CONTROLLER_ID = 7;

    final MemorySegment controllerData = MemorySegment.ofArray(new byte[4096]);
    final SortedMap<Long, MemorySegment> namespaces = new TreeMap<>();
    final SortedMap<Long, MemorySegment> descriptors = new TreeMap<>();
    final List<Integer> properties = new ArrayList<>();
    int connectStatus;
    long connectResult = CONTROLLER_ID;
    int readyStatus = 1;
    long capabilities = 0x0000_0020_0100_007FL;
    Optional<AuthController> authentication = Optional.empty();

    ScriptedController() {
        controllerData.set(LE16, 78, (short) CONTROLLER_ID);
        controllerData.set(LE16, 320, (short) 100);
        controllerData.set(LE16, 514, (short) 128);
        controllerData.set(LE32, 536, 1);
        controllerData.set(LE32, 1792, 260);
        controllerData.set(LE32, 1796, 1);
        put(controllerData, 4, "SERIAL-1            ");
    }

    static void put(MemorySegment segment, long at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(bytes, 0, segment, JAVA_BYTE, at, bytes.length);
    }

    void addNamespace(long nsid, long blocks, int lbaBits) {
        MemorySegment data = MemorySegment.ofArray(new byte[4096]);
        data.set(LE64, 0, blocks);
        data.set(JAVA_BYTE, 130, (byte) lbaBits);
        namespaces.put(nsid, data);
        descriptors.put(nsid, MemorySegment.ofArray(new byte[4096]));
    }

    @Override
    public Completion execute(HostCommand command) {
        return switch (command.opcode()) {
            case HostCommand.FABRICS_OPCODE -> fabrics(command);
            case AdminCommands.IDENTIFY -> identify(command);
            case AdminCommands.SET_FEATURES -> new Completion(0x0003_0003, 0, 0);
            default -> new Completion(0, 1, 0);
        };
    }

    private Completion fabrics(HostCommand command) {
        return switch (command.sqe().get(JAVA_BYTE, 4)) {
            case FabricsCommands.CONNECT -> new Completion(connectResult, connectStatus, 0);
            case FabricsCommands.PROPERTY_SET -> {
                properties.add((int) command.sqe().get(LE64, 48));
                yield new Completion(0, 0, 0);
            }
            case FabricsCommands.PROPERTY_GET ->
                new Completion(command.sqe().get(LE32, 44) == FabricsCommands.CAP ? capabilities : readyStatus, 0, 0);
            case FabricsCommands.AUTHENTICATION_SEND -> {
                authentication.orElseThrow().onSend(command.data());
                yield new Completion(0, 0, 0);
            }
            case FabricsCommands.AUTHENTICATION_RECEIVE ->
                new Completion(0, 0, authentication.orElseThrow().onReceive(command.data()));
            default -> throw new AssertionError("an unexpected Fabrics command");
        };
    }

    private Completion identify(HostCommand command) {
        long nsid = Integer.toUnsignedLong(command.sqe().get(LE32, 4));
        switch (command.sqe().get(LE32, 40)) {
            case AdminCommands.CNS_CONTROLLER -> command.data().copyFrom(controllerData);
            case AdminCommands.CNS_NAMESPACE -> command.data().copyFrom(namespaces.get(nsid));
            case AdminCommands.CNS_DESCRIPTORS -> command.data().copyFrom(descriptors.get(nsid));
            case AdminCommands.CNS_ACTIVE_NAMESPACES -> {
                long at = 0;
                for (long active : namespaces.tailMap(nsid + 1).keySet()) {
                    if (at < 4096) {
                        command.data().set(LE32, at, (int) active);
                        at += 4;
                    }
                }
            }
            default -> throw new AssertionError("an unexpected Identify");
        }
        return new Completion(0, 0, 4096);
    }
}
