package io.fairlead.management.head;

import io.fairlead.contract.ObjectState;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;

/**
 * Says under {@code /health/well} that a head is silent or an object is degraded. The management plane itself is ready all the same: a
 * degraded appliance is not a dead one.
 */
@Wellness
public class HeadHealth implements HealthCheck {

    @Inject
    HeadMeters meters;

    @Override
    public HealthCheckResponse call() {
        long stale = meters.heads(HeadState.STALE);
        long degraded = meters.objects(ObjectState.DEGRADED);
        return HealthCheckResponse.named("heads")
                .status(stale == 0 && degraded == 0)
                .withData("staleHeads", stale)
                .withData("degradedObjects", degraded)
                .build();
    }
}
