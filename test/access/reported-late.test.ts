import { expect } from 'chai';
import { EventRecorder } from '../../apis/events/event/recorder.js';
import { bodyOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';

oneStore('events that come too late', (server) => {
  const { made, merge, remove } = iam(server);
  /** The errors that the recorder logs while it writes an event in the namespace. */
  const errorsIn = async (namespace: string): Promise<readonly unknown[]> => {
    const recorder = new EventRecorder();
    const errors: unknown[] = [];
    recorder.start({ registry: server().api.registry, onError: (error) => void errors.push(error) });
    const about = { apiVersion: 'v1', kind: 'Thing', namespace, name: 'x' };
    recorder.add({ reason: 'Deleted', type: 'Normal', message: 'gone', about });
    await recorder.idle();
    return errors;
  };

  it('are left out without an error while their organization is being deleted', async () => {
    await made('Organization', 'closing', { title: 'Closing' });
    await made('Team', 'held', { title: 'Held' }, 'closing');
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: ['example.com/hold'] } }, 'closing'), 200);
    bodyOf(await remove('Organization', 'closing'), 200);
    expect(await errorsIn('closing')).to.deep.equal([]);
    bodyOf(await merge('Team', 'held', { metadata: { finalizers: null } }, 'closing'), 200);
  });

  it('are left out without an error after their organization was deleted', async () => {
    await made('Organization', 'closed', { title: 'Closed' });
    bodyOf(await remove('Organization', 'closed'), 200);
    expect(await errorsIn('closed')).to.deep.equal([]);
  });
});
