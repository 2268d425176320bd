package io.fairlead.nvme.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.auth.AuthProgress.Direction;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Both sides against each other. */
class AuthExchangeTest {

    private static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555";
    private static final String SUBSYSTEM = "nqn.2026-01.io.fairlead:volume-1";
    private static final List<DhchapHash> HASHES = List.of(DhchapHash.values());
    private static final List<DhchapGroup> GROUPS = List.of(DhchapGroup.values());

    private final Random random = new Random(20261201);
    private final DhchapKey hostKey = DhchapKey.generate(DhchapHash.SHA_512, random);
    private final DhchapKey controllerKey = DhchapKey.generate(DhchapHash.SHA_384, random);
    private final DhchapKey otherKey = DhchapKey.generate(DhchapHash.SHA_256, random);

    static List<Arguments> matrix() {
        List<Arguments> cases = new ArrayList<>();
        for (DhchapHash hash : DhchapHash.values()) {
            for (DhchapGroup group : DhchapGroup.values()) {
                for (Direction direction : Direction.values()) {
                    cases.add(Arguments.of(hash, group, direction));
                }
            }
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void shouldAuthenticateWithEveryHashAndGroupInBothDirections(
            DhchapHash hash, DhchapGroup group, Direction direction) {
        Optional<DhchapKey> controller = direction == Direction.TWO_WAY ? Optional.of(controllerKey) : Optional.empty();
        ControllerPolicy required =
                new ControllerPolicy(List.of(hash), List.of(group), hostKey, Optional.of(controllerKey));

        Ends ends = run(HostPolicy.offeringAll(hostKey, controller), required);

        AuthProgress expected = new AuthProgress.Succeeded(hash, group, direction);
        assertThat(ends.host()).isEqualTo(expected);
        assertThat(ends.controller()).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(DhchapHash.class)
    void shouldTakeKeysOfEveryTransformation(DhchapHash hash) {
        DhchapKey key = DhchapKey.generate(hash, random);

        Ends ends = run(HostPolicy.offeringAll(key, Optional.empty()), policy(key, Optional.empty()));

        assertThat(ends.controller()).isInstanceOf(AuthProgress.Succeeded.class);
    }

    @Test
    void shouldChooseWhatTheControllerPrefersAmongWhatTheHostOffers() {
        HostPolicy offer = new HostPolicy(
                List.of(DhchapHash.SHA_256, DhchapHash.SHA_384),
                List.of(DhchapGroup.NULL, DhchapGroup.FFDHE_2048),
                hostKey,
                Optional.empty());
        ControllerPolicy preference = new ControllerPolicy(
                List.of(DhchapHash.SHA_512, DhchapHash.SHA_384, DhchapHash.SHA_256),
                List.of(DhchapGroup.FFDHE_8192, DhchapGroup.FFDHE_2048, DhchapGroup.NULL),
                hostKey,
                Optional.empty());

        assertThat(run(offer, preference).controller())
                .isEqualTo(new AuthProgress.Succeeded(DhchapHash.SHA_384, DhchapGroup.FFDHE_2048, Direction.ONE_WAY));
    }

    @Test
    void shouldNameAWrongHostKeyOnBothSides() {
        Ends ends =
                run(HostPolicy.offeringAll(otherKey, Optional.empty()), policy(hostKey, Optional.of(controllerKey)));

        assertThat(checkOf(ends.controller())).isEqualTo(AuthCheck.KEY_MISMATCH);
        assertThat(checkOf(ends.host())).isEqualTo(AuthCheck.KEY_MISMATCH);
    }

    @Test
    void shouldNameAHashThatIsNotOfferedOnBothSides() {
        HostPolicy offer = new HostPolicy(List.of(DhchapHash.SHA_256), GROUPS, hostKey, Optional.empty());
        ControllerPolicy required =
                new ControllerPolicy(List.of(DhchapHash.SHA_512), GROUPS, hostKey, Optional.empty());

        Ends ends = run(offer, required);

        assertThat(checkOf(ends.controller())).isEqualTo(AuthCheck.HASH_NOT_OFFERED);
        assertThat(checkOf(ends.host())).isEqualTo(AuthCheck.HASH_NOT_OFFERED);
        assertThat(refusalOf(ends.controller()).sentence()).contains("sha256").contains("sha512");
    }

    @Test
    void shouldNameAGroupThatIsNotOfferedOnBothSides() {
        HostPolicy offer = new HostPolicy(HASHES, List.of(DhchapGroup.NULL), hostKey, Optional.empty());
        ControllerPolicy required =
                new ControllerPolicy(HASHES, List.of(DhchapGroup.FFDHE_3072), hostKey, Optional.empty());

        Ends ends = run(offer, required);

        assertThat(checkOf(ends.controller())).isEqualTo(AuthCheck.DH_GROUP_NOT_OFFERED);
        assertThat(checkOf(ends.host())).isEqualTo(AuthCheck.DH_GROUP_NOT_OFFERED);
        assertThat(refusalOf(ends.controller()).sentence()).contains("null").contains("ffdhe3072");
    }

    @Test
    void shouldNameAMissingControllerKey() {
        Ends ends = run(HostPolicy.offeringAll(hostKey, Optional.of(controllerKey)), policy(hostKey, Optional.empty()));

        assertThat(checkOf(ends.controller())).isEqualTo(AuthCheck.CONTROLLER_KEY_MISSING);
        assertThat(refusalOf(ends.host()).sentence()).contains("no key of its own");
    }

    @Test
    void shouldNameAWrongControllerKeyOnBothSides() {
        Ends ends = run(
                HostPolicy.offeringAll(hostKey, Optional.of(otherKey)), policy(hostKey, Optional.of(controllerKey)));

        assertThat(checkOf(ends.controller())).isEqualTo(AuthCheck.CONTROLLER_PROOF_REFUSED);
        assertThat(checkOf(ends.host())).isEqualTo(AuthCheck.CONTROLLER_PROOF_REFUSED);
    }

    @Test
    void shouldBindTheProofToBothNames() {
        AuthHost host =
                new AuthHost(HOST, SUBSYSTEM, HostPolicy.offeringAll(hostKey, Optional.empty()), 0, new Random(1));
        AuthController controller =
                new AuthController(HOST + "x", SUBSYSTEM, policy(hostKey, Optional.empty()), new Random(2));

        assertThat(checkOf(exchange(host, controller).controller())).isEqualTo(AuthCheck.KEY_MISMATCH);
    }

    private static ControllerPolicy policy(DhchapKey hostKey, Optional<DhchapKey> controllerKey) {
        return new ControllerPolicy(HASHES, GROUPS, hostKey, controllerKey);
    }

    private static Ends run(HostPolicy offer, ControllerPolicy policy) {
        AuthHost host = new AuthHost(HOST, SUBSYSTEM, offer, 0x1234, new Random(1));
        AuthController controller = new AuthController(HOST, SUBSYSTEM, policy, new Random(2));
        return exchange(host, controller);
    }

    private static Ends exchange(AuthHost host, AuthController controller) {
        MemorySegment buffer = MemorySegment.ofArray(new byte[AuthMessage.BYTES_MAX]);
        while (host.action() != AuthHost.Action.NOTHING) {
            switch (host.action()) {
                case SEND -> controller.onSend(buffer.asSlice(0, host.writeNext(buffer)));
                case RECEIVE -> host.onReceived(buffer.asSlice(0, controller.onReceive(buffer)));
                case NOTHING -> throw new IllegalStateException();
            }
        }
        return new Ends(host.progress(), controller.progress());
    }

    private static AuthCheck checkOf(AuthProgress progress) {
        return refusalOf(progress).check();
    }

    private static AuthRefusal refusalOf(AuthProgress progress) {
        assertThat(progress).isInstanceOf(AuthProgress.Refused.class);
        return ((AuthProgress.Refused) progress).refusal();
    }

    /** How both sides ended. */
    private record Ends(AuthProgress host, AuthProgress controller) {}
}
