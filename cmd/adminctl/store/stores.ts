import { openLmdbReceiver } from '../../../storage/lmdb/receiver.js';
import { openLmdbSnapshot } from '../../../storage/lmdb/snapshot.js';
import type { Receiver, ReceiverOptions, Snapshot } from '../../../storage/transfer/snapshot.js';
import { type Place, storeOf } from './place.js';

/** Requests of a server end after ten seconds, but a command of the operator goes on. */
const PATIENCE = { answer: 3_600_000 };

/** The driver of MongoDB is loaded only when needed, as in the server. */
export async function openSnapshot(place: Place): Promise<Snapshot> {
  if ('data' in place) return openLmdbSnapshot(storeOf(place.data));
  const { openMongodbSnapshot } = await import('../../../storage/mongodb/transfer/snapshot.js');
  return openMongodbSnapshot({ ...place, timeouts: PATIENCE });
}

export async function openReceiver(place: Place, options: ReceiverOptions): Promise<Receiver> {
  if ('data' in place) return openLmdbReceiver(storeOf(place.data), options);
  const { openMongodbReceiver } = await import('../../../storage/mongodb/transfer/receiver.js');
  return openMongodbReceiver({ ...place, timeouts: PATIENCE }, options);
}
