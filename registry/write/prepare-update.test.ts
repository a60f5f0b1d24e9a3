import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { KubeObject, ObjectMeta } from '../../pkg/kube/meta/types.js';
import { prepareForUpdate } from './prepare.js';
import {
  context,
  EARLY,
  NOW,
  OWN,
  PAGE,
  page,
  refused,
  STORED,
  TERMINATING,
  USER,
  updated,
  withMeta,
  withSpec,
} from './testing/pages.js';

describe('an object after an update', () => {
  it('keeps what only the server sets, whatever the client sent', () => {
    const theirs = {
      name: 'x',
      namespace: 'x',
      uid: 'x',
      resourceVersion: '9',
      generation: 9,
      creationTimestamp: NOW,
    };
    const sent = withMeta(
      {
        ...theirs,
        annotations: { mine: 'x', 'svc.app/createdBy': 'user:x' },
        labels: { 'svc.app/deprecatedInternalID': '9' },
      },
      withSpec({ title: 'B' }),
    );
    expect(updated({ ...sent, status: { x: 1 } })).to.deep.equal(
      page(
        'a',
        { title: 'B' },
        {
          annotations: { ...OWN, mine: 'x', 'svc.app/updatedBy': 'user:anns', 'svc.app/updatedTimestamp': NOW },
          creationTimestamp: EARLY,
          generation: 4,
        },
      ),
    );
  });

  it('keeps the labels that only the server sets, also if the client sent none', () => {
    const labels = { 'svc.app/deprecatedInternalID': '5' };
    const numbered = withMeta({ labels });
    const kept = (sent: Partial<ObjectMeta>) => updated(withMeta(sent, withSpec({})), numbered)?.metadata;
    expect(kept({})?.labels).to.deep.equal(labels);
    expect(kept({ labels: { x: 'y', 'svc.app/deprecatedInternalID': '9' } })?.labels).to.deep.equal({
      x: 'y',
      ...labels,
    });
    const bare = prepareForUpdate(PAGE, page('a'), page('a', { x: 'y' }, { labels }), context());
    expect(bare?.metadata.labels).to.deep.equal(labels);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Owner', name: 'o', uid: 'u' }];
    expect(kept({ ownerReferences })?.ownerReferences).to.deep.equal(ownerReferences);
  });

  it('has the time and the author of its last generation, not those of a change of labels, annotations or finalizers', () => {
    const own = { ...OWN, 'svc.app/updatedBy': 'user:before', 'svc.app/updatedTimestamp': EARLY };
    const stored = withMeta({ annotations: own });
    for (const more of [{ labels: { a: 'b' } }, { annotations: { mine: 'x' } }, { finalizers: ['a.b/c'] }]) {
      const { annotations = {}, generation } = updated(withMeta(more), stored)?.metadata ?? {};
      expect(annotations, JSON.stringify(more)).to.deep.include(own);
      expect(generation).to.equal(stored.metadata.generation);
    }
  });

  it('is made terminating by no update', () => {
    const terminating = withMeta({ deletionTimestamp: EARLY, deletionGracePeriodSeconds: 0, finalizers: ['x/y'] });
    for (const sent of [{ deletionTimestamp: NOW }, { deletionGracePeriodSeconds: 0 }])
      expect(() => updated(withMeta(sent)), JSON.stringify(sent)).to.throw('field is immutable');
    const { deletionTimestamp, finalizers = [] } = terminating.metadata;
    expect(
      updated(withMeta({ deletionTimestamp: NOW, finalizers, labels: { a: 'b' } }), terminating)?.metadata,
    ).to.deep.include({
      deletionTimestamp,
    });
    expect(() => updated(withMeta({ deletionGracePeriodSeconds: 9, finalizers }), terminating)).to.throw('immutable');
  });

  it('has the generateName that was sent', () => {
    expect(updated(withMeta({ generateName: 'x-' }))?.metadata.generateName).to.equal('x-');
  });

  it('has a new generation if its spec changed, or what counts like it, and not for other changes', () => {
    const generation = (sent: KubeObject): number | undefined => updated(sent)?.metadata.generation;
    expect(generation(withSpec({ title: 'B' }))).to.equal(4);
    expect(generation(withMeta({ annotations: { ...OWN, place: 'p' } }))).to.equal(4);
    expect(generation(withMeta({ labels: { x: 'y' } }))).to.equal(3);
    const first = updated(withSpec({ title: 'B' }), withMeta({ generation: undefined } as unknown as ObjectMeta));
    expect(first?.metadata.generation).to.equal(2);
  });

  it('is not written if nothing changed but what the server sets', () => {
    for (const same of [
      STORED,
      withMeta({ annotations: {}, resourceVersion: '9', finalizers: [], ownerReferences: [] }),
      { ...STORED, status: 1 },
    ])
      expect(updated(same)).to.equal(undefined);
    for (const change of [{ finalizers: ['f/f'] }, { labels: { x: 'y' } }, { annotations: { mine: 'x' } }])
      expect(updated(withMeta(change))).not.to.equal(undefined);
    expect(updated(withMeta({}), withMeta({ finalizers: ['f/f'] }))).to.not.have.nested.property('metadata.finalizers');
  });

  it('keeps the message of its version, and a new version does not', () => {
    const noted = withMeta({ annotations: { ...OWN, 'svc.app/message': 'why' } });
    const message = (sent: KubeObject): string | undefined =>
      updated(sent, noted)?.metadata.annotations?.['svc.app/message'];
    expect(message(withMeta({ labels: { x: 'y' } }))).to.equal('why');
    expect(updated(STORED, noted)).to.equal(undefined);
    expect([message(withSpec({}, noted)), message(withSpec({}))]).to.deep.equal([undefined, undefined]);
    expect(message(withMeta({ annotations: { 'svc.app/message': 'new' } }, withSpec({})))).to.equal('new');
  });

  it('gets no new finalizers while it ends', () => {
    const ending = withMeta(TERMINATING);
    const finalizers = ['f/f', 'g/g'];
    expect(refused(() => updated(withMeta({ finalizers }), ending))).to.deep.equal([422, 'metadata.finalizers']);
    expect(refused(() => updated(withMeta({ finalizers: [] }), ending))).to.deep.equal([]);
    expect(refused(() => updated(withMeta({ finalizers })))).to.deep.equal([]);
  });

  it('is checked for new containers and references only, and does not move while it ends', () => {
    const lost = withSpec({ in: 'absent', next: 'going' });
    expect(refused(() => updated(withMeta({ labels: { x: 'y' } }, lost), lost))).to.deep.equal([]);
    expect(refused(() => updated(withSpec({ in: 'gone' }), lost))).to.deep.equal([422, 'spec.in']);
    expect(refused(() => updated(withSpec({ in: 'going' }), lost))).to.deep.equal([409]);
    expect(refused(() => updated(withSpec({ in: 'absent', next: 'gone' }), lost))).to.deep.equal([422, 'spec.next']);
    const ending = withMeta(TERMINATING, withSpec({ in: 'first' }));
    for (const spec of [{ in: 'second' }, {}])
      expect(refused(() => updated(withSpec(spec, ending), ending))).to.deep.equal([409]);
    expect(refused(() => updated(withSpec({ in: 'first', x: 'y' }, ending), ending))).to.deep.equal([]);
  });

  it('may keep what is unique to it', () => {
    const first = page('first', { title: 'First' });
    expect(refused(() => updated(withSpec({ title: 'First', x: 'y' }, first), first))).to.deep.equal([]);
    expect(refused(() => updated(withSpec({ title: 'First' })))).to.deep.equal([422, 'spec.title']);
  });

  it('is written by an account of a service in its own name', () => {
    const user = { ...USER, name: 'system:serviceaccount:default:robot' };
    const by = (author: UserInfo) =>
      updated(withSpec({}), STORED, { user: author })?.metadata.annotations?.['svc.app/updatedBy'];
    expect([by(user), by({ ...USER, uid: '' })]).to.deep.equal(['service-account:robot', 'user:ann']);
  });
});
