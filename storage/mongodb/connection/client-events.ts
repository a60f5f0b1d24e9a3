import type { MongoClient, TopologyDescription } from 'mongodb';
import type { DatabaseMonitor } from './monitor.js';

/** Lets the monitor see the connections and the primary, as the driver tells them. */
export function observeClient(client: MongoClient, monitor: DatabaseMonitor): void {
  const { connections } = monitor;
  const count = (part: keyof typeof connections, by: number) => () => {
    connections[part] += by;
  };
  client.on('connectionCreated', count('open', 1));
  client.on('connectionClosed', count('open', -1));
  client.on('connectionCheckOutStarted', count('waiting', 1));
  client.on('connectionCheckOutFailed', count('waiting', -1));
  client.on('connectionCheckedOut', count('waiting', -1));
  client.on('connectionCheckedOut', count('used', 1));
  client.on('connectionCheckedIn', count('used', -1));
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const primary = primaryOf(newDescription);
    if (primary !== undefined) monitor.primaryIs(primary);
  });
}

function primaryOf({ servers }: TopologyDescription): string | undefined {
  return [...servers.values()].find(({ type }) => type === 'RSPrimary')?.address;
}
