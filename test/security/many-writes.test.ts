import { expect } from 'chai';
import { TransactionSteps } from '../../storage/engine/transaction.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from '../legacy-api/legacy.js';
import { peopleOf } from '../legacy-api/people.js';
import { teamsOf } from '../legacy-api/teams.js';

/** How many objects one request writes here. A body may name a thousand. */
const MANY = 120;
/**
 * A request of the legacy API may write many objects in one commit. Between its steps, other requests get their turns
 * (pkg/system/yielding).
 */
oneStore('a request that writes many objects in one commit', (server) => {
  const { ask } = legacyOf(server);
  const { person } = peopleOf(server);
  const { make } = teamsOf(server);
  const numbers = Array.from({ length: MANY }, (_, i) => i);
  let people: readonly { readonly id: number; readonly email: string }[] = [];

  before(async () => {
    people = await Promise.all(numbers.map(() => person({ prefix: 'crowd' })));
  });

  const folder = async (): Promise<string> => {
    const uid = fresh('crowded');
    await ask(200, 'POST', '/folders', { uid, title: `Title of ${uid}` });
    return uid;
  };
  /** How many steps the largest commit has during this work. */
  const stepsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const { writer } = server().api.registry;
    const { transact } = writer;
    let most = 0;
    function* counted<Result>(steps: TransactionSteps<Result>): Generator<undefined, Result, undefined> {
      for (let count = 1; ; count++) {
        const step = steps.work.next();
        most = Math.max(most, count);
        if (step.done === true) return step.value;
        yield;
      }
    }
    writer.transact = (transaction, signal) => {
      const run: typeof transaction.run = (state) => {
        const begun = transaction.run(state);
        return begun instanceof TransactionSteps ? new TransactionSteps(counted(begun)) : begun;
      };
      return transact.call(writer, { ...transaction, run }, signal) as ReturnType<typeof writer.transact<never>>;
    };
    try {
      await work();
      return most;
    } finally {
      writer.transact = transact;
    }
  };
  const leavesTurns = async (method: string, path: string, body?: Json): Promise<void> => {
    expect(await stepsOf(() => ask(200, method, path, body)), `steps of ${method} ${path}`).to.be.at.least(MANY);
  };

  it('leaves others their turns if it makes, changes and deletes a group of alert rules', async () => {
    const path = `/v1/provisioning/folder/${await folder()}/rule-groups/group`;
    const data = [{ refId: 'A', datasourceUid: 'm', model: { expr: 'up == 0' } }];
    const rules = (more: Json): Json => ({
      rules: numbers.map((i) => ({ title: `r${i}`, condition: 'A', data, ...more })),
    });
    await leavesTurns('PUT', path, rules({ for: '1m' }));
    await leavesTurns('PUT', path, rules({ for: '2m' }));
    await leavesTurns('PUT', path, { rules: [] });
    await ask(200, 'PUT', path, rules({ for: '1m' }));
    expect(await stepsOf(() => ask(204, 'DELETE', path))).to.be.at.least(MANY);
  });

  it('leaves others their turns if it gives many users a folder, and takes it from them', async () => {
    const uid = await folder();
    const items = people.map(({ id: userId }) => ({ userId, permission: 1 }));
    await leavesTurns('POST', `/folders/${uid}/permissions`, { items });
    const permissions = people.map(({ id: userId }) => ({ userId, permission: 'Edit' }));
    await leavesTurns('POST', `/access-control/folders/${uid}`, { permissions });
    await leavesTurns('POST', `/folders/${uid}/permissions`, { items: [] });
  });

  it('leaves others their turns if it replaces the members of a team', async () => {
    const { id } = await make();
    await leavesTurns('PUT', `/teams/${id}/members`, { members: people.map(({ email }) => email), admins: [] });
    await leavesTurns('PUT', `/teams/${id}/members`, { members: [], admins: [] });
  });

  it('leaves others their turns if it gives many users a role, and takes it from them', async () => {
    const uid = fresh('role');
    await ask(201, 'POST', '/access-control/roles', { uid, name: uid, permissions: [] });
    const users = people.map(({ id }) => id);
    const path = `/access-control/roles/${uid}/assignments`;
    await leavesTurns('PUT', path, { users, teams: [], service_accounts: [] });
    await leavesTurns('PUT', path, { users: [], teams: [], service_accounts: [] });
  });

  it('leaves others their turns if it imports a dashboard with many library elements', async () => {
    const elements = numbers.map((i) => [fresh('element'), { name: `e${i}`, kind: 1, model: { type: 't' } }]);
    const dashboard = { title: fresh('imported'), __elements: Object.fromEntries(elements) };
    await leavesTurns('POST', '/dashboards/import', { dashboard, folderUid: await folder(), inputs: [] });
  });
});
