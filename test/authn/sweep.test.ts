import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import { isoTime } from '../../apis/authentication/services.js';
import { sessions } from '../../apis/authentication/sessions.js';
import type { SessionSpec } from '../../apis/internal/session/schema.js';
import { Client } from '../../registry/client/client.js';
import { oneStore } from './harness.js';

const HOUR = 3_600_000;
const LIMITS = { maxInactive: HOUR, maxLifetime: 1000 * HOUR, rotateAfter: HOUR };
/** More sessions than two pages have, and than one sweep deletes. */
const MANY = 510;

/** Counts the turns of the event loop while work is done. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

oneStore('a sweep of sessions', (server) => {
  const stored = () => server().services.objects<SessionSpec>('internal/sessions');
  const names = () => [...stored().range()].map(({ metadata }) => metadata.name);
  const sweep = () => sessions(server().services, LIMITS).sweep();
  const specOf = (name: string): SessionSpec => ({
    userRef: { name: 'alice' },
    hash: createHash('sha256').update(name).digest('hex'),
    createdAt: isoTime(server().services.now()),
  });

  async function open(count: number): Promise<void> {
    const { registry, kind } = server().services;
    const client = new Client(registry, { user: SYSTEM_USER });
    await client.transact((transaction) => {
      for (let i = 0; i < count; i++) {
        const name = `s${String(i).padStart(3, '0')}`;
        transaction.objects<SessionSpec>(kind('internal/sessions')).create({ metadata: { name }, spec: specOf(name) });
      }
    });
  }

  before(() => server().user('alice'));
  afterEach(async () => {
    for (const name of names()) await stored().delete(name);
  });

  it('lets others work between pages, and deletes none that are used', async () => {
    await open(MANY);
    expect(await turnsDuring(sweep)).to.be.above(1);
    expect(names()).to.have.length(MANY);
  });

  it('deletes a limited number', async () => {
    await open(MANY);
    server().advance(HOUR);
    await sweep();
    expect(names()).to.have.length(MANY - 500);
    await sweep();
    expect(names()).to.deep.equal([]);
  });

  it('leaves a session that is used again meanwhile', async () => {
    await open(3);
    server().advance(HOUR);
    const seenAt = isoTime(server().services.now());
    const use = () => stored().update('s002', (old) => ({ ...old, spec: { ...specOf('s002'), ...old.spec, seenAt } }));
    await Promise.all([sweep(), use()]);
    expect(names()).to.deep.equal(['s002']);
  });

  it('goes on when a session is deleted meanwhile', async () => {
    await open(3);
    server().advance(HOUR);
    await Promise.all([sweep(), stored().delete('s001')]);
    expect(names()).to.deep.equal([]);
  });
});
