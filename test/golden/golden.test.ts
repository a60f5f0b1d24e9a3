import { onOneStore } from '../harness/stores.js';
import { openFresh } from './fresh-server.js';
import { replay } from './replay.js';
import { readTranscript, recordedClients } from './transcript.js';

for (const client of await recordedClients()) {
  onOneStore(`golden transcripts: ${client}`, openFresh, (server) => {
    it('gets the recorded answers to its requests', async () => {
      await replay(await readTranscript(client), server().address());
    });
  });
}
