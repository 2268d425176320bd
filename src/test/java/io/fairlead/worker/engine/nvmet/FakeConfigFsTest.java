package io.fairlead.worker.engine.nvmet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of the kernel that the engine has to live with. The lab holds the same against a real kernel. */
class FakeConfigFsTest {

    private static final String NQN = "nqn.2026-01.io.fairlead:volumes";
    private static final String SUBSYSTEM = "subsystems/" + NQN;
    private static final String NAMESPACE = SUBSYSTEM + "/namespaces/1";
    private static final String HOST = "hosts/nqn.2026-01.io.fairlead:host";
    private static final String ALLOWED = SUBSYSTEM + "/allowed_hosts/nqn.2026-01.io.fairlead:host";
    private static final String EXPORTED = "ports/1/subsystems/" + NQN;

    private final FakeWorld world = new FakeWorld();
    private final FakeConfigFs configFs = new FakeConfigFs(world);

    @TempDir
    private Path directory;

    @BeforeEach
    void objects() throws ConfigFsException {
        configFs.makeDirectory(SUBSYSTEM);
        configFs.makeDirectory(NAMESPACE);
        configFs.makeDirectory(HOST);
        tcpPort("ports/1", "127.0.0.1", "4420");
        configFs.clearJournal();
    }

    @Test
    void objectsComeWithTheirGroupsAndAttributes() throws ConfigFsException {
        assertThat(configFs.list("")).containsExactly("discovery_nqn", "hosts", "ports", "subsystems");
        assertThat(configFs.list(HOST))
                .containsExactly("dhchap_ctrl_key", "dhchap_dhgroup", "dhchap_hash", "dhchap_key");
        assertThat(configFs.list(SUBSYSTEM)).contains("allowed_hosts", "namespaces", "passthru", "attr_ieee_oui");
        assertThat(configFs.list("ports/1")).contains("ana_groups", "referrals", "subsystems", "param_max_queue_size");
        assertThat(configFs.read("ports/1/ana_groups/1/ana_state")).isEqualTo("optimized");
        assertThat(configFs.read(NAMESPACE + "/device_path")).isEqualTo("(null)");
        assertThat(configFs.read(SUBSYSTEM + "/attr_cntlid_max")).isEqualTo("65519");
        assertThat(configFs.isAttribute(SUBSYSTEM + "/attr_vendor_id")).isFalse();
    }

    @Test
    void aKernelBuiltWithoutAFeatureLacksItsAttributes() throws ConfigFsException {
        FakeConfigFs old = new FakeConfigFs(new FakeWorld()
                .withoutAuth()
                .withoutOui()
                .withoutMaxQueueSize()
                .withoutRevalidate()
                .withoutPassthru());
        old.makeDirectory(SUBSYSTEM);
        old.makeDirectory(NAMESPACE);
        old.makeDirectory(HOST);
        old.makeDirectory("ports/1");

        assertThat(old.list(HOST)).isEmpty();
        assertThat(old.list(SUBSYSTEM)).doesNotContain("attr_ieee_oui", "passthru");
        assertThat(old.isAttribute(NAMESPACE + "/revalidate_size")).isFalse();
        assertThat(old.isAttribute("ports/1/param_max_queue_size")).isFalse();
    }

    @Test
    void aPortIsFixedWhileASubsystemIsLinked() throws ConfigFsException {
        configFs.link(SUBSYSTEM, EXPORTED);

        assertRefused(Errno.EACCES, () -> configFs.write("ports/1/addr_traddr", "127.0.0.2"));
        assertThat(configFs.read("ports/1/addr_traddr")).isEqualTo("127.0.0.1");

        configFs.unlink(EXPORTED);
        configFs.write("ports/1/addr_traddr", "127.0.0.2");
        assertThat(configFs.read("ports/1/addr_traddr")).isEqualTo("127.0.0.2");
    }

    @Test
    void aPortBindsWithItsFirstLinkAndLetsGoWithTheLast() throws ConfigFsException {
        tcpPort("ports/2", "127.0.0.1", "4420");
        tcpPort("ports/3", "0.0.0.0", "4420");
        configFs.link(SUBSYSTEM, EXPORTED);

        assertRefused(Errno.EADDRINUSE, () -> configFs.link(SUBSYSTEM, "ports/2/subsystems/" + NQN));
        assertRefused(Errno.EADDRINUSE, () -> configFs.link(SUBSYSTEM, "ports/3/subsystems/" + NQN));

        configFs.unlink(EXPORTED);
        configFs.link(SUBSYSTEM, "ports/2/subsystems/" + NQN);
    }

    @Test
    void aPortNeedsItsAddressAndItsTransport() throws ConfigFsException {
        tcpPort("ports/2", "192.0.2.7", "4420");
        assertRefused(Errno.EADDRNOTAVAIL, () -> configFs.link(SUBSYSTEM, "ports/2/subsystems/" + NQN));
        assertThat(configFs.list("ports/2/subsystems")).isEmpty();
        world.addAddress("192.0.2.7");
        configFs.link(SUBSYSTEM, "ports/2/subsystems/" + NQN);

        tcpPort("ports/3", "192.0.2.7", "4420");
        configFs.write("ports/3/addr_trtype", "rdma");
        assertRefused(Errno.EINVAL, () -> configFs.link(SUBSYSTEM, "ports/3/subsystems/" + NQN));
        world.loadTransport("rdma");
        assertRefused(Errno.ENODEV, () -> configFs.link(SUBSYSTEM, "ports/3/subsystems/" + NQN));
        world.addRdmaAddress("192.0.2.7");
        configFs.link(SUBSYSTEM, "ports/3/subsystems/" + NQN);
    }

    @Test
    void theLimitsOfAPortAreSettledWhenItBinds() throws ConfigFsException {
        assertThat(configFs.read("ports/1/param_inline_data_size")).isEqualTo("-1");
        configFs.write("ports/1/param_max_queue_size", "8");
        configFs.link(SUBSYSTEM, EXPORTED);
        configFs.unlink(EXPORTED);

        assertThat(configFs.read("ports/1/param_inline_data_size")).isEqualTo("16384");
        assertThat(configFs.read("ports/1/param_max_queue_size")).isEqualTo("16");
    }

    @Test
    void aNamespaceIsFixedWhileItIsEnabledExceptForItsAnaGroup() throws Exception {
        enableNamespace();

        assertRefused(Errno.EBUSY, () -> configFs.write(NAMESPACE + "/device_path", "/dev/null"));
        assertRefused(Errno.EBUSY, () -> configFs.write(NAMESPACE + "/device_uuid", "0".repeat(36)));
        assertRefused(Errno.EINVAL, () -> configFs.write(NAMESPACE + "/buffered_io", "1"));
        configFs.write(NAMESPACE + "/ana_grpid", "2");
        configFs.write(NAMESPACE + "/revalidate_size", "1");
        assertRefused(Errno.EACCES, () -> configFs.read(NAMESPACE + "/revalidate_size"));
        assertRefused(Errno.EINVAL, () -> configFs.write(NAMESPACE + "/ana_grpid", "129"));
    }

    @Test
    void aNamespaceIsEnabledOnlyOnADeviceThatOpens() throws ConfigFsException {
        assertRefused(Errno.EINVAL, () -> configFs.write(NAMESPACE + "/enable", "1"));
        configFs.write(NAMESPACE + "/device_path", "/dev/disk/by-id/fairlead-test");
        assertRefused(Errno.ENOENT, () -> configFs.write(NAMESPACE + "/enable", "1"));
        world.breakDevice("/dev/disk/by-id/fairlead-test", Errno.ENXIO);
        assertRefused(Errno.ENXIO, () -> configFs.write(NAMESPACE + "/enable", "1"));
        world.addDevice("/dev/disk/by-id/fairlead-test");
        configFs.write(NAMESPACE + "/enable", "1");

        assertThat(configFs.read(NAMESPACE + "/enable")).isEqualTo("1");
    }

    @Test
    void namesThatAreNumbersAreChecked() {
        assertRefused(Errno.EINVAL, () -> configFs.makeDirectory(SUBSYSTEM + "/namespaces/0"));
        assertRefused(Errno.EINVAL, () -> configFs.makeDirectory(SUBSYSTEM + "/namespaces/4294967295"));
        assertRefused(Errno.EINVAL, () -> configFs.makeDirectory("ports/65536"));
        assertRefused(Errno.EINVAL, () -> configFs.makeDirectory("ports/1/ana_groups/129"));
        assertRefused(Errno.EINVAL, () -> configFs.makeDirectory("subsystems/nqn.2014-08.org.nvmexpress.discovery"));
        assertRefused(Errno.EEXIST, () -> configFs.makeDirectory("ports/1/ana_groups/1"));
        assertRefused(Errno.EPERM, () -> configFs.makeDirectory("ports/1/more"));
        assertRefused(Errno.ENOENT, () -> configFs.makeDirectory("ports/9/ana_groups/2"));
    }

    @Test
    void hostsAndAnyHostExcludeEachOther() throws ConfigFsException {
        configFs.link(HOST, ALLOWED);
        assertRefused(Errno.EINVAL, () -> configFs.write(SUBSYSTEM + "/attr_allow_any_host", "1"));
        configFs.unlink(ALLOWED);
        configFs.write(SUBSYSTEM + "/attr_allow_any_host", "1");
        assertRefused(Errno.EINVAL, () -> configFs.link(HOST, ALLOWED));
    }

    @Test
    void linksLeadFromTheRightPlaceToTheRightKindOnce() throws ConfigFsException {
        assertRefused(Errno.EINVAL, () -> configFs.link(HOST, "ports/1/subsystems/x"));
        assertRefused(Errno.EINVAL, () -> configFs.link(SUBSYSTEM, SUBSYSTEM + "/allowed_hosts/x"));
        assertRefused(Errno.EPERM, () -> configFs.link(SUBSYSTEM, "ports/1/x"));
        assertRefused(Errno.ENOENT, () -> configFs.link("subsystems/absent", "ports/1/subsystems/absent"));

        configFs.link(SUBSYSTEM, EXPORTED);
        assertRefused(Errno.EEXIST, () -> configFs.link(SUBSYSTEM, EXPORTED));
        assertRefused(Errno.EEXIST, () -> configFs.link(SUBSYSTEM, "ports/1/subsystems/again"));
        assertThat(configFs.isDirectory(EXPORTED + "/namespaces/1")).isTrue();
    }

    @Test
    void directoriesGoOnlyWhenNothingHoldsThem() throws ConfigFsException {
        configFs.link(HOST, ALLOWED);
        configFs.link(SUBSYSTEM, EXPORTED);
        configFs.makeDirectory("ports/1/ana_groups/2");

        assertRefused(Errno.EBUSY, () -> configFs.removeDirectory(HOST));
        assertRefused(Errno.EBUSY, () -> configFs.removeDirectory(SUBSYSTEM));
        assertRefused(Errno.ENOTEMPTY, () -> configFs.removeDirectory("ports/1"));
        assertRefused(Errno.EPERM, () -> configFs.removeDirectory("ports/1/ana_groups/1"));

        configFs.unlink(EXPORTED);
        assertRefused(Errno.ENOTEMPTY, () -> configFs.removeDirectory("ports/1"));
        configFs.removeDirectory("ports/1/ana_groups/2");
        configFs.removeDirectory("ports/1");
        assertRefused(Errno.ENOTEMPTY, () -> configFs.removeDirectory(SUBSYSTEM));
        configFs.removeDirectory(NAMESPACE);
        assertRefused(Errno.ENOTEMPTY, () -> configFs.removeDirectory(SUBSYSTEM));
        configFs.unlink(ALLOWED);
        configFs.removeDirectory(SUBSYSTEM);
        configFs.removeDirectory(HOST);
        assertThat(configFs.list("subsystems")).isEmpty();
    }

    @Test
    void theIdentityOfASubsystemIsFixedOnceAHostHasSeenIt() throws ConfigFsException {
        configFs.write(SUBSYSTEM + "/attr_serial", "FL0001");
        configFs.write(SUBSYSTEM + "/attr_ieee_oui", "0x28cdc1");
        assertThat(configFs.read(SUBSYSTEM + "/attr_serial")).isEqualTo("FL0001" + " ".repeat(14));
        assertThat(configFs.read(SUBSYSTEM + "/attr_ieee_oui")).isEqualTo("0x28cdc1");
        assertRefused(Errno.EINVAL, () -> configFs.write(SUBSYSTEM + "/attr_serial", "S".repeat(21)));
        assertRefused(Errno.EINVAL, () -> configFs.write(SUBSYSTEM + "/attr_cntlid_min", "65520"));

        configFs.markDiscovered(NQN);

        assertRefused(Errno.EINVAL, () -> configFs.write(SUBSYSTEM + "/attr_serial", "FL0002"));
        assertRefused(Errno.EINVAL, () -> configFs.write(SUBSYSTEM + "/attr_model", "Fairlead"));
    }

    @Test
    void valuesAreCheckedAndAnEmptyWriteChangesNothing() throws ConfigFsException {
        assertRefused(Errno.EINVAL, () -> configFs.write("ports/1/addr_adrfam", "ipv5"));
        assertRefused(Errno.EINVAL, () -> configFs.write("ports/1/ana_groups/1/ana_state", "nonoptimized"));
        assertRefused(Errno.EINVAL, () -> configFs.write(HOST + "/dhchap_key", "secret"));
        assertRefused(Errno.EINVAL, () -> configFs.write(HOST + "/dhchap_dhgroup", "ffdhe1024"));
        assertRefused(Errno.ENOENT, () -> configFs.write(HOST + "/dhchap_keys", "DHHC-1:00:AAAA:"));

        configFs.write(HOST + "/dhchap_key", "DHHC-1:00:AAAA:");
        configFs.write(HOST + "/dhchap_key", "");
        assertThat(configFs.read(HOST + "/dhchap_key")).isEqualTo("DHHC-1:00:AAAA:");
    }

    /** The lab's scenario configfs-rules plays the same on a real kernel. */
    @Test
    void theFakeAnswersAScriptedSequenceAsTheKernelDoes() throws Exception {
        FakeConfigFs fresh = new FakeConfigFs(new FakeWorld().addDevice("/tmp/fairlead-rules-device"));
        List<String> rules = Files.readAllLines(Path.of("src/lab/guest/configfs-rules")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();

        assertThat(rules).hasSizeGreaterThan(80).allSatisfy(rule -> {
            String[] words = rule.split(" ", 4);
            assertThat(answer(fresh, words[1], words[2], words.length > 3 ? words[3] : ""))
                    .isEqualTo(words[0]);
        });
    }

    private static String answer(ConfigFs configFs, String operation, String argument, String value) {
        try {
            switch (operation) {
                case "mkdir" -> configFs.makeDirectory(argument);
                case "rmdir" -> configFs.removeDirectory(argument);
                case "unlink" -> configFs.unlink(argument);
                case "write" -> configFs.write(argument, value);
                case "link" -> configFs.link(argument, value);
                case "read" -> {
                    return "=" + configFs.read(argument);
                }
                default -> throw new AssertionError("no such operation: " + operation);
            }
            return "OK";
        } catch (ConfigFsException e) {
            return e.errno().name();
        }
    }

    @Test
    void aScriptedFailureHappensOnceAndChangesNothing() throws ConfigFsException {
        configFs.failNext("write", HOST, Errno.EIO);

        assertRefused(Errno.EIO, () -> configFs.write(HOST + "/dhchap_hash", "hmac(sha512)"));
        assertThat(configFs.read(HOST + "/dhchap_hash")).isEqualTo("hmac(sha256)");
        assertThat(configFs.journal()).isEmpty();

        configFs.write(HOST + "/dhchap_hash", "hmac(sha512)");
        assertThat(configFs.journal()).isEqualTo(List.of("write " + HOST + "/dhchap_hash hmac(sha512)"));
    }

    private void tcpPort(String port, String address, String service) throws ConfigFsException {
        configFs.makeDirectory(port);
        configFs.write(port + "/addr_trtype", "tcp");
        configFs.write(port + "/addr_adrfam", "ipv4");
        configFs.write(port + "/addr_traddr", address);
        configFs.write(port + "/addr_trsvcid", service);
    }

    private void enableNamespace() throws Exception {
        Path device = Files.createFile(directory.resolve("device"));
        configFs.write(NAMESPACE + "/device_path", device.toString());
        configFs.write(NAMESPACE + "/enable", "1");
    }

    private static void assertRefused(Errno errno, ThrowingCallable operation) {
        ConfigFsException refused = catchThrowableOfType(ConfigFsException.class, operation);
        assertThat(refused).isNotNull();
        assertThat(refused.errno()).isEqualTo(errno);
    }
}
