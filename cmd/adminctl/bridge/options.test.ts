import { expect } from 'chai';
import { USUAL_LEVELS } from '../../../apis/iam/rolebinding/legacy/role-levels.js';
import { UsageError } from '../usage.js';
import { accessOf } from './access.js';
import { changed, newMetadata } from './draft.js';
import { each } from './each.js';
import { isFromServer, parseBridge } from './options.js';
import { People } from './people.js';

const FROM = '--from=https://dashboards.example.org';
const ENV = { IMPORT_TOKEN: 'glsa_x' };

describe('the options of adminctl import --from', () => {
  it('are known by the address', () => {
    expect([isFromServer([FROM]), isFromServer(['--from', 'x']), isFromServer(['a.json'])]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('have a token or a login, which is not an argument', () => {
    expect(parseBridge([FROM], ENV).credential).to.deep.equal({ token: 'glsa_x' });
    const login = parseBridge([FROM, '--login=admin'], { IMPORT_PASSWORD: 'p' });
    expect(login.credential).to.deep.equal({ login: 'admin', password: 'p' });
    for (const [argv, env] of [
      [[FROM], {}],
      [[FROM, '--login=admin'], ENV],
      [[FROM, '--token=x'], {}],
      [[FROM], { IMPORT_TOKEN: 'a b' }],
      [[FROM, '--token__FILE=/does/not/exist'], {}],
      [['--from='], ENV],
      [[FROM, '--ca=package.json'], ENV],
      [[FROM, '--organization=x'], ENV],
      [[FROM, 'folder'], ENV],
    ] as const)
      expect(() => parseBridge(argv, env), argv.join(' ')).to.throw(UsageError);
  });
});

describe('a draft', () => {
  const draft = (origin: object) => newMetadata('svc.app', { name: 'a', spec: {}, origin });

  it('has the times of the source in seconds, and none that is not known or is in the future', () => {
    const created = '2024-05-01T12:00:00.9+02:00';
    expect(draft({ created, updated: '0001-01-01T00:00:00Z' })).to.deep.equal({
      name: 'a',
      annotations: {},
      creationTimestamp: '2024-05-01T10:00:00Z',
    });
    expect(draft({ created: 'yesterday' })).to.not.have.property('creationTimestamp');
    const { creationTimestamp } = draft({ created: '2999-01-01T00:00:00Z' }) as { creationTimestamp: string };
    expect(Date.parse(creationTimestamp)).to.be.at.most(Date.now());
  });

  it('keeps what the source does not tell, except of kinds that it tells as a whole', () => {
    const live = {
      apiVersion: 'x/v1',
      kind: 'X',
      metadata: { name: 'a', annotations: { 'svc.app/folder': 'f', mine: 'm' } },
      spec: { title: 'A', note: 'n' },
    };
    const of = (spec: object, isWhole: boolean, annotations = {}) =>
      changed('svc.app', live, { name: 'a', spec: { ...spec }, annotations }, isWhole);
    expect(of({ title: 'A' }, false)).to.equal(undefined);
    expect(of({ title: 'A' }, true)?.spec).to.deep.equal({ title: 'A' });
    expect(of({ title: 'A' }, false, { folder: undefined })?.metadata.annotations).to.deep.equal({ mine: 'm' });
  });
});

describe('work on each item', () => {
  it('takes few at one time, and ends with the first failure', async () => {
    let [now, most, taken] = [0, 0, 0];
    const work = async (): Promise<void> => {
      taken++;
      most = Math.max(most, ++now);
      await Promise.resolve();
      now--;
    };
    await each([1, 2, 3, 4, 5, 6, 7], 3, work);
    expect([most, taken]).to.deep.equal([3, 7]);
    taken = 0;
    const failing = each([1, 2, 3, 4, 5, 6, 7], 2, async () => {
      taken++;
      throw new Error('no');
    });
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    expect(taken).to.equal(2);
  });
});

describe('a list of permissions', () => {
  it('may be longer than the arguments of a function', () => {
    const items = Array.from({ length: 200_000 }, () => ({ role: 'Viewer', permission: 1, inherited: true }));
    const none = { people: new People(), teams: new People(), onUnknown: () => undefined };
    const { levels, grants } = accessOf(items, { ...none, above: USUAL_LEVELS, isAtRoot: true });
    expect([levels['Viewer'], grants.length]).to.deep.equal(['View', 0]);
  });
});
