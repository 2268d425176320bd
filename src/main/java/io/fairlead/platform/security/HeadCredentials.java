package io.fairlead.platform.security;

import io.fairlead.core.HeadId;
import java.util.Optional;

/** Knows which head a credential belongs to. The feature {@code management.head} does. */
public interface HeadCredentials {

    Optional<HeadId> headOf(byte[] credentialHash);
}
