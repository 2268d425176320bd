package io.fairlead.contract;

import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import java.util.List;
import java.util.Optional;

/**
 * All that one head shall serve. Always whole, never a difference. An empty list means that there shall be none of Fairlead's own
 * objects of that kind; what Fairlead did not make is left alone.
 *
 * @param schema {@link #SCHEMA}; a worker refuses a number it does not know
 * @param pools empty: the management plane is older than pools on drives, and nothing is said of them
 * @param anaStates of groups that are not optimized through some listener
 */
public record DesiredState(
        int schema,
        HeadId headId,
        Generation generation,
        CntlidWindow cntlids,
        List<DesiredVolume> volumes,
        List<DesiredHost> hosts,
        List<DesiredSubsystem> subsystems,
        List<DesiredListener> listeners,
        List<DesiredPath> paths,
        Optional<List<DesiredPool>> pools,
        Optional<List<DesiredAnaState>> anaStates) {

    public static final int SCHEMA = 1;

    public DesiredState {
        volumes = List.copyOf(volumes);
        hosts = List.copyOf(hosts);
        subsystems = List.copyOf(subsystems);
        listeners = List.copyOf(listeners);
        paths = List.copyOf(paths);
        pools = pools.map(List::copyOf);
        anaStates = anaStates.map(List::copyOf);
    }
}
