import { expect } from 'chai';
import type { AuditEvent, EventObject } from './event.js';
import { AuditNotes, type ChangedObject } from './notes.js';
import { Policy } from './policy.js';
import { type AuditedRequest, AuditTrail } from './trail.js';

const FOLDERS = { group: 'folder.svc.app', version: 'v1beta1', resource: 'folders' };
const COLLECTION: EventObject = { resource: 'folders', namespace: 'default', apiGroup: 'folder.svc.app' };

function change(verb: ChangedObject['verb'], name: string): ChangedObject {
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '7' };
  return { verb, kind: FOLDERS, namespace: 'default', metadata };
}

function request(more: Partial<AuditedRequest> = {}): AuditedRequest {
  return {
    auditId: 'id',
    audit: new AuditNotes(),
    headers: {},
    method: 'POST',
    path: '/x',
    uri: '/x',
    query: new URLSearchParams(),
    body: new Uint8Array(),
    user: { name: 'ann', uid: '', groups: [], extra: {} },
    startedAt: performance.now(),
    impersonator: undefined,
    response: { status: 200, headers: {} },
    failure: undefined,
    isOfResourceApi: false,
    ...more,
  };
}

function trailOf(policy: object, named?: { verb: string; object: EventObject }) {
  const events: AuditEvent[] = [];
  const trail = new AuditTrail({
    policy: Policy.parse({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...policy }),
    domain: 'svc.app',
    resourceOf: () => named,
    secretFields: [],
    write: (line) => {
      events.push(JSON.parse(line) as AuditEvent);
      return undefined;
    },
  });
  const record = (one: AuditedRequest): AuditEvent | undefined => {
    void trail.recordingOf(one)?.('ResponseComplete');
    return events.pop();
  };
  return { trail, events, record };
}

const noted = (...changes: ChangedObject[]): AuditNotes => {
  const notes = new AuditNotes();
  for (const one of changes) notes.changed([one]);
  return notes;
};

describe('the trail of the audit log', () => {
  const refused = request({ method: 'GET', response: { status: 403, headers: {} } });
  const signIn = (): AuditedRequest => {
    const audit = new AuditNotes();
    audit.login = 'ann';
    return request({ method: 'GET', audit });
  };

  it('has refusals and sign-ins that no rule asks for, unless the policy leaves them out', () => {
    const { record } = trailOf({ rules: [{ level: 'None' }] });
    expect(record(refused)?.level).to.equal('Metadata');
    expect(record(signIn())?.level).to.equal('Metadata');
    expect(record(request({ method: 'GET' }))).to.equal(undefined);
    const without = trailOf({ rules: [{ level: 'None' }], omitRefusals: true });
    expect([without.record(refused), without.record(signIn())]).to.deep.equal([undefined, undefined]);
  });

  it('has what the server wrote by itself, with the reason, by the rules for the first object', () => {
    const user = { name: 'system:apiserver', uid: '', groups: [], extra: {} };
    const notes = noted(change('update', 'a'), change('delete', 'b'));
    const eventsOf = (...rules: object[]) => {
      const { trail, events } = trailOf({ rules });
      void trail.background({ user, notes, reason: 'it was time' });
      void trail.background({ user, notes: noted(), reason: 'nothing to do' });
      return events;
    };
    const [event, ...others] = eventsOf({ level: 'RequestResponse' });
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({
      stage: 'ResponseComplete',
      requestURI: '',
      verb: 'update',
      user: { username: 'system:apiserver', groups: [] },
      objectRef: { ...COLLECTION, name: 'a', uid: 'uid-a', resourceVersion: '7', apiVersion: 'v1beta1' },
      responseStatus: { metadata: {}, code: 200 },
      annotations: {
        'audit.svc.app/reason': 'it was time',
        'audit.svc.app/objects': 'delete folders.folder.svc.app/default/b',
      },
    });
    expect(event?.auditID).to.match(/^[0-9a-f-]{36}$/);
    expect(Date.parse(event?.stageTimestamp ?? '')).to.be.closeTo(Date.now(), 60_000);
    expect(eventsOf({ level: 'None', users: ['system:apiserver'] })).to.deep.equal([]);
    expect(eventsOf({ level: 'Metadata', omitStages: ['ResponseComplete'] })).to.deep.equal([]);
  });

  it('leaves out stages', () => {
    const { trail, events } = trailOf({ rules: [{ level: 'Metadata', omitStages: ['ResponseStarted'] }] });
    const recording = trail.recordingOf(request());
    void recording?.('ResponseStarted');
    void recording?.('ResponseComplete');
    expect(events.map(({ stage }) => stage)).to.deep.equal(['ResponseComplete']);
  });

  it('has a write whose client left before the answer, and reads that changed something', () => {
    const rules = [{ level: 'None', verbs: ['get', 'list'] }, { level: 'Metadata' }];
    const { record } = trailOf({ rules });
    const left = record(request({ response: undefined, audit: noted(change('create', 'a')) }));
    expect(left?.objectRef).to.include({ name: 'a' });
    expect(left).to.not.have.property('responseStatus');
    const read = record(request({ method: 'GET', audit: noted(change('update', 'a')) }));
    expect(read?.verb).to.equal('update');
  });

  it('completes the object of the path from what was written', () => {
    const { record } = trailOf({ rules: [{ level: 'Metadata' }] }, { verb: 'create', object: COLLECTION });
    const event = record(request({ audit: noted(change('create', 'a'), change('update', 'b')) }));
    expect(event?.objectRef).to.deep.equal({ ...COLLECTION, name: 'a', uid: 'uid-a', resourceVersion: '7' });
    expect(event?.annotations).to.include({ 'audit.svc.app/objects': 'update folders.folder.svc.app/default/b' });
  });

  it('names the first objects of a deleted collection, and counts the others', () => {
    const { record } = trailOf({ rules: [{ level: 'Metadata' }] }, { verb: 'deletecollection', object: COLLECTION });
    const names = Array.from({ length: 3000 }, (_, index) => change('delete', `n${index}`));
    const event = record(request({ method: 'DELETE', audit: noted(...names) }));
    expect(event?.objectRef).to.deep.equal(COLLECTION);
    const text = event?.annotations?.['audit.svc.app/objects'] ?? '';
    expect(text).to.match(/^delete folders\.folder\.svc\.app\/default\/n0, delete .* and 2950 more$/);
  });
});
