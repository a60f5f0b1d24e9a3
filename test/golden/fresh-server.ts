import type { Backend } from '../../storage/backend.js';
import { openMemory } from '../../storage/memory/backend.js';
import { openServer, type Server } from '../harness/server.js';

/** The server for recording and replaying transcripts. All requests are those of the administrator. */
export function openFresh(backend: Backend = openMemory()): Promise<Server> {
  return openServer(backend);
}
