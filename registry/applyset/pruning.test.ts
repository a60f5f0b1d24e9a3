import { expect } from 'chai';
import { ApiError } from '../../pkg/kube/status/status.js';
import { inWorld, refusal, type World } from '../testing/world.js';
import { PART_OF } from './names.js';
import { applyAll, planOf, remembered, SET, type Sent, setStatus } from './testing/sets.js';

const prune = { prune: true } as const;
const withLabel = (labels: Readonly<Record<string, string>>) => labels['team'] === 'x';

describe('what a request leaves out of its set', () => {
  it(
    'stays a member, unless the request prunes',
    inWorld(async (world) => {
      const { book, writer, records } = world.kinds;
      await applyAll(world, [
        [book, 'a'],
        [book, 'b'],
        [writer, 'w'],
      ]);
      expect(planOf(await applyAll(world, [[book, 'a']]))).to.deep.equal(['unchanged Book a']);
      expect([await remembered(world), setStatus(world)?.members]).to.deep.equal([['a', 'b', 'w'], 3]);
      const result = await applyAll(world, [[book, 'a']], prune);
      expect([planOf(result).toSorted(), result.plan.summary.pruned]).to.deep.equal([
        ['pruned Book b', 'pruned Writer w', 'unchanged Book a'],
        2,
      ]);
      expect([result.isCreated, await world.names(book), await world.names(writer)]).to.deep.equal([false, ['a'], []]);
      expect([await remembered(world), setStatus(world)?.members]).to.deep.equal([['a'], 1]);
      expect(await world.all(records)).to.have.length(1);
      expect(await refusal(world.put(book, 'b'))).to.equal('');
      expect(planOf(await applyAll(world, [[book, 'a']], prune))).to.deep.equal(['unchanged Book a']);
    }),
  );

  it(
    'is deleted with what depends on it, and the plan says so',
    inWorld(async (world) => {
      const { book, shelf, writer } = world.kinds;
      await applyAll(world, [
        [shelf, 's'],
        [book, 'on-s', { on: 's' }],
        [writer, 'held', {}, { finalizers: ['x/y'] }],
      ]);
      await world.put(book, 'mine', { on: 's' });
      await world.put(book, 'after-mine', { after: 'mine' });
      const plan = planOf(await applyAll(world, [], prune)).toSorted();
      expect(plan).to.include('pruned Writer held (finalizers hold it)');
      const rest = plan.filter((line) => !line.includes('held'));
      expect([
        ['pruned Book on-s', 'pruned Shelf s (with 2 Book)'],
        ['pruned Book on-s (with the object that it was in)', 'pruned Shelf s (with 3 Book)'],
      ]).to.deep.include(rest);
      expect([await world.names(book), await world.names(shelf), await world.names(writer)]).to.deep.equal([
        [],
        [],
        ['held'],
      ]);
    }),
  );

  it(
    'stays if somebody took the label off, or deleted it, but is no member any more',
    inWorld(async (world) => {
      const { book } = world.kinds;
      await applyAll(world, [
        [book, 'a'],
        [book, 'b'],
        [book, 'c'],
      ]);
      await world.change(book, 'a', {}, { labels: {} });
      await world.change(book, 'b', {}, { labels: { [PART_OF]: 'another' } });
      await world.admin.delete(book, 'default', 'c');
      const result = await applyAll(world, [], prune);
      expect([planOf(result), await world.names(book)]).to.deep.equal([[], ['a', 'b']]);
      expect([await remembered(world), setStatus(world)?.members, setStatus(world)?.drifted]).to.deep.equal([[], 0, 0]);
    }),
  );

  it(
    'takes the permission to delete each',
    inWorld(async (world) => {
      const { book } = world.kinds;
      await applyAll(world, [
        [book, 'a'],
        [book, 'b'],
      ]);
      const by = (...permissions: readonly string[]) =>
        refusal(
          applyAll(world, [], {
            ...prune,
            client: world.with({ ...world.as('applysets:* *', 'books:read *', ...permissions).options }),
          }),
        );
      expect(await by('books:delete books:uid:a')).to.match(/^403 Forbidden Book "b" cannot be pruned: .*books:delete/);
      const hidden = refusal(
        applyAll(world, [], { ...prune, client: world.with({ ...world.as('applysets:* *').options }) }),
      );
      expect(await hidden).to.match(
        /^403 Forbidden A member cannot be pruned: an object of the kind Book that you may not view.*books:delete/,
      );
      expect(await world.names(book)).to.deep.equal(['a', 'b']);
      expect(await by('books:delete *')).to.equal('');
    }),
  );

  it(
    'is deleted in an order in which the rules allow it, if there is one',
    inWorld(
      async (world) => {
        const { writer } = world.kinds;
        const many = ['a', 'b', 'c', 'd', 'e', 'f'];
        await applyAll(
          world,
          many.map((name): Sent => [writer, name]),
        );
        expect((await applyAll(world, [], prune)).plan.summary.pruned).to.equal(6);
        expect(await world.names(writer)).to.deep.equal([]);
        await applyAll(world, [
          [writer, 'a'],
          [writer, 'never'],
        ]);
        expect(await refusal(applyAll(world, [], prune))).to.match(
          /^409 Conflict Writer "(a|never)" cannot be pruned: .*never/,
        );
      },
      {
        kinds: {
          writer: {
            strategy: {
              // Only the last one in the order of names can go.
              validateDelete: ({ metadata: { name } }, { reader }) => {
                const names = [...reader.inNamespace('writers.library.svc.app', '')].map(({ key }) =>
                  key.split('/').at(-1),
                );
                if (names.at(-1) !== name || name === 'never') throw conflictNever();
              },
            },
          },
        },
      },
    ),
  );

  it(
    'is not deleted if the request needs it',
    inWorld(async (world) => {
      const { book, shelf } = world.kinds;
      await applyAll(world, [
        [shelf, 's'],
        [book, 'b', { on: 's' }],
      ]);
      const refused = await refusal(applyAll(world, [[book, 'b', { on: 's' }]], prune));
      expect(refused).to.match(
        /^409 Conflict .*spec\.objects\[0\] \(Book "b"\): the object would be deleted together with/,
      );
      expect([await world.names(shelf), await world.names(book)]).to.deep.equal([['s'], ['b']]);
      const moved = await applyAll(world, [[book, 'b', { x: 'y' }]], prune);
      expect(planOf(moved)).to.deep.equal(['configured Book b', 'pruned Shelf s']);
    }),
  );
});

describe('what the selector of a request selects', () => {
  const LABELLED = { labels: { team: 'x' } };
  async function fill(world: World): Promise<void> {
    const { book, writer, shelf } = world.kinds;
    const me = world.with({ fieldManager: 'me' });
    const apply = (kind: Sent[0], name: string, client = me, labels: object = LABELLED, namespace = 'default') =>
      client.apply(kind, namespace, {
        object: {
          apiVersion: kind.apiVersion,
          kind: kind.kind,
          metadata: { name, ...labels, ...(kind.scope === 'Namespaced' && { namespace }) },
          spec: {},
        },
        preconditions: {},
        force: false,
      });
    await apply(book, 'applied');
    await apply(book, 'other-label', me, {});
    await apply(book, 'other-manager', world.with({ fieldManager: 'you' }));
    await apply(book, 'elsewhere', me, LABELLED, 'other');
    await apply(writer, 'w');
    await apply(shelf, 's');
    const touched = { labels: { team: 'x', more: 'y' } };
    await world.admin.update(book, 'default', 'applied', (old) => ({
      ...old,
      metadata: { ...old.metadata, ...touched },
    }));
    await me.create(book, 'default', {
      ...(world.get(book, 'applied') as object),
      metadata: { name: 'created', ...LABELLED },
    } as never);
  }

  it(
    'is pruned, too, if the field manager has applied it, in the kinds and namespaces of the request and of the set',
    inWorld(async (world) => {
      const { book, writer, shelf } = world.kinds;
      await fill(world);
      const result = await applyAll(world, [[book, 'kept', {}, LABELLED]], { ...prune, selector: withLabel });
      expect(planOf(result)).to.deep.equal(['created Book kept', 'pruned Book applied']);
      expect(await world.names(book)).to.deep.equal(['created', 'kept', 'other-label', 'other-manager', 'elsewhere']);
      expect([await world.names(writer), await world.names(shelf)]).to.deep.equal([['w'], ['s']]);
      await applyAll(world, [[writer, 'mine']]);
      const second = await applyAll(world, [[book, 'kept', {}, LABELLED]], { ...prune, selector: withLabel });
      expect(planOf(second).toSorted()).to.deep.equal(['pruned Writer mine', 'pruned Writer w', 'unchanged Book kept']);
    }),
  );

  it(
    'is not looked for in kinds that this server does not have any more',
    inWorld(async (world) => {
      const { slip, records } = world.kinds;
      await applyAll(world, [
        [slip, 'new'],
        [slip, 'old', {}, LABELLED],
      ]);
      await world.admin.update(slip, 'default', 'old', (old) => ({
        ...old,
        metadata: { ...old.metadata, labels: LABELLED.labels },
      }));
      const members = { 'doors.library.svc.app/default/d': { revision: 1, leaves: {} } };
      await world.put(records, 'fleet.doors', { set: SET, members });
      const result = await applyAll(world, [[slip, 'new']], { ...prune, selector: withLabel });
      expect([planOf(result), await world.names(slip)]).to.deep.equal([
        ['unchanged Slip new', 'pruned Slip old'],
        ['new'],
      ]);
    }),
  );

  it(
    'stays if the request does not prune',
    inWorld(async (world) => {
      await fill(world);
      const result = await applyAll(world, [[world.kinds.book, 'kept']], { selector: withLabel });
      expect(planOf(result)).to.deep.equal(['created Book kept']);
    }),
  );
});

function conflictNever(): Error {
  return new ApiError({ code: 409, reason: 'Conflict', message: 'never' });
}
