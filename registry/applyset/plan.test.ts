import { expect } from 'chai';
import { ApiError } from '../../pkg/kube/status/status.js';
import { library } from '../testing/library.js';
import { objectOfKind } from '../testing/write-context.js';
import { Conflicts } from './conflicts.js';
import { named, placeOf } from './manifest-object.js';
import { Plan, pathText } from './plan.js';

const { book, writer } = library();
const object = (spec: object, metadata = {}) => objectOfKind(book, 'a', spec, metadata);
const diff = (plan: Plan, old: object | undefined, next: object) =>
  plan.changed(book, 'default', 'a', old && object(old), object(next)).diff;

describe('the plan of a request', () => {
  it('counts what it does, and says whether it changes an object', () => {
    const plan = new Plan();
    const changes: boolean[] = [];
    for (const action of ['unchanged', 'conflict', 'created', 'configured', 'pruned'] as const) {
      const one = new Plan();
      one.entry(book, 'default', 'a', action);
      changes.push(one.isChanged);
      plan.entry(book, 'default', 'a', action);
    }
    expect(changes).to.deep.equal([false, false, true, true, true]);
    expect(plan.summary).to.deep.equal({ created: 1, configured: 1, unchanged: 1, pruned: 1, conflicts: 1 });
    expect(plan.objects).to.deep.equal([]);
    const two = new Plan();
    for (const action of ['created', 'pruned'] as const) two.entry(book, 'default', 'a', action);
    expect(two.isChanged).to.equal(true);
  });

  it('names each object, with its namespace if it has one, and a message if there is one', () => {
    const plan = new Plan();
    const names = { apiVersion: 'library.svc.app/v1', name: 'a', action: 'pruned' };
    expect(plan.entry(book, 'default', 'a', 'pruned', 'why')).to.deep.equal({
      ...names,
      kind: 'Book',
      namespace: 'default',
      message: 'why',
    });
    expect(plan.entry(writer, '', 'a', 'pruned')).to.deep.equal({ ...names, kind: 'Writer' });
    const entries = [plan.entry(book, 'default', 'b', 'created')];
    plan.finish(entries);
    expect(plan.objects).to.deep.equal(entries);
  });

  it('shows what differs, and not what the server sets', () => {
    const plan = new Plan();
    expect(diff(plan, { x: '1', y: '1' }, { x: '2', y: '1' })).to.deep.equal([{ path: 'spec.x', from: '1', to: '2' }]);
    expect(diff(plan, { x: '1', y: '1' }, { y: '1' })).to.deep.equal([{ path: 'spec.x', from: '1' }]);
    const [old, next] = [
      object({}, { resourceVersion: '1', generation: 1 }),
      object({}, { resourceVersion: '2', generation: 2 }),
    ];
    expect(plan.changed(book, 'default', 'a', old, next)).to.deep.include({ action: 'configured', diff: [] });
    expect(plan.changed(book, 'default', 'a', undefined, next).action).to.equal('created');
  });

  it('cuts long values', () => {
    const [fits, long] = ['x'.repeat(1022), 'x'.repeat(1023)];
    const shown = diff(new Plan(), { fits: '', long: '' }, { fits, long });
    expect(shown?.find(({ path }) => path === 'spec.fits')?.to).to.equal(fits);
    expect(shown?.find(({ path }) => path === 'spec.long')?.to).to.equal(`"${'x'.repeat(1023)}… (1025 characters)`);
  });

  it('shows at most a hundred fields of an object, and four MiB of values of all', () => {
    const plan = new Plan();
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`f${i}`, 'x'.repeat(2000)]));
    const shown = Array.from({ length: 60 }, () => diff(plan, { z: '' }, { z: '', ...many })?.length);
    expect(shown[0]).to.equal(100);
    expect(shown.filter((count) => count === 100)).to.have.length(41);
    expect(shown.slice(41)).to.deep.equal(Array.from({ length: 19 }, () => 0));
  });

  it('writes paths as people do', () => {
    expect([
      pathText(['spec', 'title']),
      pathText(['metadata', 'labels', 'a.b/c', 'd']),
      pathText(['a b']),
      pathText([]),
    ]).to.deep.equal(['spec.title', 'metadata.labels[a.b/c].d', '[a b]', '']);
  });
});

describe('the conflicts of a request', () => {
  const conflict = (count: number, reason = 'FieldManagerConflict') =>
    new ApiError({
      code: 409,
      reason: 'Conflict',
      message: 'conflict',
      details: {
        causes: Array.from({ length: count }, (_, i) => ({ reason, message: 'owned by x', field: `.f${i}` })),
      },
    });
  const refusalOf = (conflicts: Conflicts): ApiError | undefined => {
    try {
      conflicts.refuse();
    } catch (error) {
      return error as ApiError;
    }
    return undefined;
  };

  it('are those with other managers, and no other errors', () => {
    const conflicts = new Conflicts();
    expect(conflicts.take('a', new Error('no'))).to.equal(false);
    expect(conflicts.take('a', new ApiError({ code: 409, reason: 'Conflict', message: 'no' }))).to.equal(false);
    expect(conflicts.take('a', conflict(1, 'Other'))).to.equal(false);
    expect(refusalOf(conflicts)).to.equal(undefined);
    expect(conflicts.take('a', conflict(2))).to.equal(true);
    expect(refusalOf(conflicts)).to.deep.include({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed: other managers own fields of 1 object. Nothing was changed. First: a: owned by x: .f0',
    });
    conflicts.take('b', conflict(1));
    expect(refusalOf(conflicts)?.message).to.include('of 2 objects.');
    expect(refusalOf(conflicts)?.details?.causes?.map(({ message, field }) => `${message} ${field}`)).to.deep.equal([
      'a: owned by x .f0',
      'a: owned by x .f1',
      'b: owned by x .f0',
    ]);
  });

  it('are told up to a hundred, and the message counts the objects', () => {
    const conflicts = new Conflicts();
    for (let i = 0; i < 3; i++) conflicts.take('a', conflict(400));
    const refusal = refusalOf(conflicts);
    expect(refusal?.details?.causes).to.have.length(100);
    expect(refusal?.details?.causes?.at(-1)?.message).to.include('there are more');
    expect(refusal?.message).to.include('of 3 objects.');
  });
});

describe('an error of one object of a request', () => {
  it('names its place, and keeps the rest', () => {
    const place = placeOf({ index: 3, requestedKind: book, name: 'a' });
    expect(place).to.equal('spec.objects[3] (Book "a")');
    expect(placeOf({ index: 0, requestedKind: book, name: 'a'.repeat(300) })).to.have.length(
      `spec.objects[0] (Book "")`.length + 253,
    );
    const cause = new ApiError({ code: 422, reason: 'Invalid', message: 'no', details: { name: 'a' } });
    expect(named(place, cause)).to.deep.include({ code: 422, reason: 'Invalid', message: `${place}: no`, cause });
    expect((named(place, cause) as ApiError).details).to.deep.equal({ name: 'a' });
    const bare = named(place, new ApiError({ code: 403, reason: 'Forbidden', message: 'no' })) as ApiError;
    expect(bare.details).to.equal(undefined);
    const other = new Error('no');
    expect(named(place, other)).to.equal(other);
  });
});
