import { expect } from 'chai';
import { Client } from '../../../registry/client/client.js';
import { addPeople, addPerson, addRole, bind, person, unbind } from '../../access/people.js';
import type { Answer } from '../../harness/answer.js';
import { bodyOf, changingNothing, expectStatus } from '../../harness/resource.js';
import { objectOf, type Subject } from '../suite/subject.js';

const everywhere = (...actions: readonly string[]) => actions.map((action) => ({ action, scope: 'widgets:*' }));

/** Each caller has a role with these permissions. `self` has no permissions, but owns an object. */
const CALLERS: Readonly<Record<string, readonly { readonly action: string; readonly scope: string }[]>> = {
  reader: everywhere('widgets:read'),
  writer: everywhere('widgets:read', 'widgets:write'),
  sizer: everywhere('widgets:read', 'widgets.size:write'),
  statuser: everywhere('widgets:read', 'widgets.status:write'),
  copier: everywhere('widgets:read', 'widgets:write', 'widgets:create'),
  only: [
    { action: 'widgets:read', scope: 'widgets:uid:shared' },
    { action: 'widgets.size:write', scope: 'widgets:uid:shared' },
  ],
  self: [],
};

type Try = (name: string, caller: string) => Promise<Answer>;

/** Tests the permissions on subresources, by the actions that the kind declares for them or for the object. */
export function permissions(subject: Subject): void {
  const { resource, server, examples } = subject;
  const by = (caller: string) => ({ user: person(caller) });
  const [size, copies, status] = ['size', 'copies', 'status'].map((name) => resource.subresource(name)) as [
    ReturnType<typeof resource.subresource>,
    ReturnType<typeof resource.subresource>,
    ReturnType<typeof resource.subresource>,
  ];
  const tries: Readonly<Record<string, Try>> = {
    'get size': (name, caller) => size.get(name, by(caller)),
    'update size': (name, caller) => size.put(name, { spec: { size: 2 } }, by(caller)),
    'patch size': (name, caller) => size.merge(name, { spec: { size: 2 } }, by(caller)),
    'create copies': (name, caller) => copies.post(name, { spec: { name: subject.name() } }, by(caller)),
    'get status': (name, caller) => status.get(name, by(caller)),
    'update status': (name, caller) => status.put(name, body(name), by(caller)),
    'patch status': (name, caller) => status.merge(name, { status: { phase: 'Ready' } }, by(caller)),
    'update finalize': (name, caller) => resource.subresource('finalize').put(name, body(name), by(caller)),
  };
  const body = (name: string): object => ({ ...objectOf(subject, examples.full, name), status: { phase: 'Broken' } });
  const READ = ['get size', 'get status'];
  const ALLOWED: Readonly<Record<string, readonly string[]>> = {
    reader: READ,
    writer: [...READ, 'update finalize'],
    sizer: [...READ, 'update size', 'patch size'],
    statuser: [...READ, 'update status', 'patch status'],
    copier: [...READ, 'update finalize', 'create copies'],
    only: [],
    self: [],
  };

  describe('permission on subresources', () => {
    before(async () => {
      await addPeople(server());
      for (const [caller, granted] of Object.entries(CALLERS)) {
        await addPerson(server(), caller, 'None');
        await addRole(server(), caller, granted);
        await bind(server(), caller, { subject: ['User', caller], role: ['Role', caller] });
      }
      for (const name of ['shared', 'of-self'])
        bodyOf(await resource.create(objectOf(subject, examples.full, name)), 201);
    });

    for (const [caller, allowed] of Object.entries(ALLOWED)) {
      it(`${caller} may ${allowed.join(', ') || 'do nothing to objects of others'}`, async () => {
        const { name } = bodyOf(await resource.create(objectOf(subject, examples.full, subject.name())), 201).metadata;
        for (const [what, attempt] of Object.entries(tries)) {
          if (allowed.includes(what)) expect((await attempt(name, caller)).status, what).to.be.oneOf([200, 201]);
          else
            expectStatus(
              await changingNothing(server(), () => attempt(name, caller)),
              403,
              'Forbidden',
              refusalOf(what),
            );
        }
      });
    }

    it('applies to the objects of its scope only', async () => {
      expect((await tries['update size']?.('shared', 'only'))?.status).to.equal(200);
      expectStatus(await size.get('of-self', by('only')), 403, 'Forbidden', 'widgets/size');
    });

    it('of the own object is the one to get and update, unless the subresource has its own actions', async () => {
      for (const what of ['get size', 'get status', 'update finalize']) {
        expect((await tries[what]?.('of-self', 'self'))?.status, what).to.equal(200);
      }
      for (const what of ['update size', 'update status']) {
        expect((await tries[what]?.('of-self', 'self'))?.status, what).to.equal(403);
      }
    });

    it('is needed to learn that an object does not exist', async () => {
      expectStatus(await size.get('nobody', by('reader')), 404, 'NotFound');
      expectStatus(await size.get('nobody', by('only')), 403, 'Forbidden');
    });

    it('is also checked in the commit', async () => {
      const { registry } = server().api;
      const work = (verb: string) =>
        new Client(registry, by('reader')).transact((transaction) =>
          transaction.getFor(subject.kind, 'default', 'shared', { name: 'size', verb }),
        );
      expect((await work('get')).metadata.name).to.equal('shared');
      expect(await work('update').catch((error: { code: number }) => error.code)).to.equal(403);
    });

    it('ends with its grant', async () => {
      expect((await tries['update size']?.('shared', 'sizer'))?.status).to.equal(200);
      await unbind(server(), 'sizer');
      expect((await tries['update size']?.('shared', 'sizer'))?.status).to.equal(403);
    });

    it('is the same as in reviews', async () => {
      const ask = async (caller: string, verb: string, subresource: string, name = ''): Promise<unknown> => {
        const resourceAttributes = { namespace: 'default', group: subject.kind.group, resource: 'widgets' };
        const spec = { resourceAttributes: { ...resourceAttributes, verb, subresource, name } };
        return (await review(caller, 'SelfSubjectAccessReview', spec)).allowed;
      };
      const answers = [
        await ask('statuser', 'update', 'status'),
        await ask('statuser', 'update', 'size'),
        await ask('writer', 'create', 'copies'),
        await ask('reader', 'create', 'copies', 'shared'),
        await ask('only', 'patch', 'size'),
        await ask('only', 'patch', 'size', 'shared'),
        await ask('writer', 'update', 'soul'),
      ];
      expect(answers).to.deep.equal([true, false, true, false, false, true, false]);
      const { resourceRules = [] } = await review('statuser', 'SelfSubjectRulesReview', { namespace: 'default' });
      const rule = { apiGroups: [subject.kind.group], resources: ['widgets/status'] };
      expect(resourceRules).to.deep.include({ ...rule, verbs: ['get', 'patch', 'update'] });
    });
  });

  async function review(caller: string, kind: string, spec: object): Promise<Review> {
    const path = `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`;
    const answer = await server().call('POST', path, {
      ...by(caller),
      body: { apiVersion: 'authorization.k8s.io/v1', kind, spec },
    });
    return bodyOf(answer, 201).status as unknown as Review;
  }
}

interface Review {
  readonly allowed?: boolean;
  readonly resourceRules?: readonly object[];
}

/** The part of a refusal that names the subresource or, for a copy, the new object. */
function refusalOf(what: string): RegExp {
  return new RegExp(`"widgets/${what.split(' ')[1]}"${what === 'create copies' ? '|create resource "widgets"' : ''}`);
}
