package io.fairlead.platform;

import io.fairlead.core.Ids;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.InstantSource;

/** Time and chance, so that everybody is given them and a test can give others. */
final class PlatformBeans {

    @Produces
    @DefaultBean
    @Singleton
    InstantSource clock() {
        return InstantSource.system();
    }

    @Produces
    @DefaultBean
    @Singleton
    SecureRandom random() {
        return new SecureRandom();
    }

    @Produces
    @DefaultBean
    @Singleton
    Ids ids(InstantSource clock, SecureRandom random) {
        return new Ids(clock, random);
    }
}
