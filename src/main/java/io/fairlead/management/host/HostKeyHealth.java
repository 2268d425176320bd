package io.fairlead.management.host;

import io.fairlead.platform.Sealer;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;

/** Says under {@code /health/well} that keys cannot be opened. The appliance starts and serves everything else all the same. */
@Wellness
public class HostKeyHealth implements HealthCheck {

    @Inject
    Sealer sealer;

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("master-key")
                .status(sealer.isAvailable())
                .build();
    }
}
