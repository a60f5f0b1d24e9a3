import { expect } from 'chai';
import { timestamp } from './metadata.js';
import { checkPreconditions, withInternalId } from './prepare.js';
import { prepareStatus } from './status.js';
import {
  context,
  created,
  EARLY,
  NOW,
  OWN,
  PAGE,
  PAGES,
  page,
  refused,
  SHELF,
  STORED,
  updated,
  withMeta,
  withSpec,
} from './testing/pages.js';

describe('a new object', () => {
  it('has what the client may set, and from the server what the client may not', () => {
    const mine = { annotations: { a: 'b' }, labels: { c: 'd' }, finalizers: ['f/f'], generateName: 'n-' };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Owner', name: 'o', uid: 'u' }];
    const theirs = {
      name: 'x',
      namespace: 'x',
      uid: 'x',
      resourceVersion: '9',
      generation: 9,
      creationTimestamp: EARLY,
      deletionTimestamp: EARLY,
    };
    const stamps = {
      'svc.app/createdBy': 'user:anns',
      'svc.app/updatedBy': 'user:anns',
      'svc.app/updatedTimestamp': NOW,
    };
    const sent = page(
      'x',
      {},
      { ...mine, ...theirs, ownerReferences, annotations: { ...mine.annotations, ...OWN, 'svc.app/originUID': 'x' } },
    );
    expect(created(sent).metadata).to.deep.equal({
      ...mine,
      ownerReferences,
      annotations: { ...mine.annotations, ...stamps },
      name: 'new',
      namespace: 'default',
      uid: 'made',
      creationTimestamp: NOW,
      generation: 1,
    });
    const bare = created(
      page('x', {}, { finalizers: [], ownerReferences: [], labels: { 'svc.app/deprecatedInternalID': '9' } }),
    ).metadata;
    expect(bare).to.have.all.keys('annotations', 'creationTimestamp', 'generation', 'name', 'namespace', 'uid');
    expect(created(page('x'), {}, SHELF).metadata).not.to.have.property('namespace');
    expect(withInternalId(PAGE, withMeta({ labels: { c: 'd' } }), 5).metadata.labels).to.deep.equal({
      c: 'd',
      'svc.app/deprecatedInternalID': '5',
    });
  });

  it('is not stored if its container or reference is absent or ends, and in a dry run only warns of what is absent', () => {
    for (const name of ['in', 'next']) {
      expect(
        refused(() => created(page('x', { [name]: 'first' }))),
        name,
      ).to.deep.equal([]);
      expect(
        refused(() => created(page('x', { [name]: 'absent' }))),
        name,
      ).to.deep.equal([422, `spec.${name}`]);
      expect(
        refused(() => created(page('x', { [name]: 'going' }))),
        name,
      ).to.deep.equal([409]);
      const warnings: string[] = [];
      const warnMissing = (message: string): void => void warnings.push(message);
      created(page('x', { [name]: 'absent' }), { warnMissing });
      expect(warnings).to.deep.equal([
        `spec.${name}: Not found: there is no "absent" in ${PAGES}. Create that first, or both together`,
      ]);
      expect(refused(() => created(page('x', { [name]: 'going' }), { warnMissing }))).to.deep.equal([409]);
    }
    expect(refused(() => created(page('x', { perhaps: 'absent' })))).to.deep.equal([]);
    expect(refused(() => created(page('x', { perhaps: 'absent', next: 'gone' })))).to.deep.equal([422, 'spec.next']);
  });

  it('is not stored if another one has what must be unique, at the end of a request with many objects', () => {
    const sent = page('x', { title: 'First' });
    expect(refused(() => created(sent))).to.deep.equal([422, 'spec.title']);
    expect(refused(() => created(page('x', { title: 'Other' })))).to.deep.equal([]);
    const checks: (() => void)[] = [];
    created(sent, { later: (check) => void checks.push(check) });
    expect(checks.map((check) => refused(check))).to.deep.equal([[422, 'spec.title']]);
  });

  it('is not stored with wrong metadata, or against the rules of its kind', () => {
    const long = { annotations: { 'svc.app/message': 'x'.repeat(5001) } };
    expect(refused(() => created(page('x', {}, long)))).to.deep.equal([422, 'metadata.annotations[svc.app/message]']);
    expect(refused(() => created(page('x', {}, { labels: { '-': 'x' } })))[0]).to.equal(422);
    const strategy = { validate: () => [{ reason: 'FieldValueInvalid' as const, message: 'no', field: 'spec.rule' }] };
    expect(refused(() => created(page('x'), {}, { ...PAGE, strategy }))).to.deep.equal([422, 'spec.rule']);
  });
});

describe('a status', () => {
  it('changes alone, and is checked, too', () => {
    const sent = withMeta({ labels: { x: 'y' } }, withSpec({ title: 'B' }));
    const { resourceVersion: _, ...metadata } = STORED.metadata;
    expect(prepareStatus(PAGE, { ...sent, status: { a: 1 } }, STORED, context())).to.deep.equal({
      ...STORED,
      metadata,
      status: { a: 1 },
    });
    expect(prepareStatus(PAGE, { ...sent, status: { a: 1 } }, { ...STORED, status: { a: 1 } }, context())).to.equal(
      undefined,
    );
    expect(prepareStatus(PAGE, sent, { ...STORED, status: 1 }, context())).to.deep.equal({ ...STORED, metadata });
    expect(updated(withSpec({}), { ...STORED, status: 1 })).to.have.property('status', 1);
    const taken = withSpec({ title: 'First' });
    expect(refused(() => prepareStatus(PAGE, { ...taken, status: 1 }, taken, context()))).to.deep.equal([
      422,
      'spec.title',
    ]);
  });
});

describe('the time of a write', () => {
  it('is in seconds, in UTC', () => {
    const times = [0, 999, 1000, 86_400_000, 1000].map(timestamp);
    const [first, second, day] = ['1970-01-01T00:00:00Z', '1970-01-01T00:00:01Z', '1970-01-02T00:00:00Z'];
    expect(times).to.deep.equal([first, first, second, day, second]);
  });
});

describe('preconditions', () => {
  it('refuse another uid or version than the caller expects', () => {
    const check = (preconditions: object) => refused(() => checkPreconditions(PAGE, STORED, preconditions));
    expect([{}, { uid: 'as' }, { resourceVersion: '7' }, { uid: 'as', resourceVersion: '7' }].map(check)).to.deep.equal(
      [[], [], [], []],
    );
    expect([{ uid: 'x' }, { resourceVersion: '8' }, { uid: 'x', resourceVersion: '7' }].map(check)).to.deep.equal([
      [409],
      [409],
      [409],
    ]);
  });
});
