import { expect } from 'chai';
import type { DeleteContext, ValidationSteps } from '../../../registry/kinds/strategy.js';
import { contextWith, objectOfKind, thrown } from '../../../registry/testing/write-context.js';
import type { Features } from '../../environment.js';
import { organization } from '../../iam/organization/kind.js';
import { organizationBinding } from '../../iam/organizationbinding/kind.js';
import { environmentWith } from '../../test-environment.js';
import { folder } from './kind.js';
import { folderStrategy } from './strategy.js';

const ENVIRONMENT = environmentWith();
const FOLDERS = folder(ENVIRONMENT);
const MEMBERS = organizationBinding(ENVIRONMENT);
const ORGANIZATIONS = organization(ENVIRONMENT);
const [PARENT, GRANT] = ['svc.app/folder', 'svc.app/grant-permissions'] as const;

const named = (name: string, annotations?: Readonly<Record<string, string>>, title = name) =>
  objectOfKind(FOLDERS, name, { title }, annotations && { annotations });
const below = (parent: string, name: string) => named(name, { [PARENT]: parent });

/** a > b > c, and d. The caller is a member. */
const WORLD = [
  ...[named('a'), below('a', 'b'), below('b', 'c'), named('d')].map((one) => [FOLDERS, one] as const),
  [MEMBERS, objectOfKind(MEMBERS, 'ann', { userRef: { name: 'ann' }, role: 'Editor' })] as const,
];
const CTX = contextWith(WORLD);

/** The causes, and the number of steps in which they were found. */
function checked(steps: ValidationSteps | undefined) {
  let [count, step] = [0, steps?.next()];
  for (; step?.done === false; count++) step = steps?.next();
  return { causes: step?.value ?? [], count };
}

describe('a folder', () => {
  const strategyWith = (features: Partial<Features> = {}) => folderStrategy(environmentWith(features));
  const problems = (sent: ReturnType<typeof named>, old?: ReturnType<typeof named>, features?: Partial<Features>) =>
    checked(strategyWith(features).validateInSteps?.(sent, old, CTX)).causes.map(
      ({ field, message }) => `${field}: ${message.slice(0, 24)}`,
    );
  const AT_PARENT = 'metadata.annotations[svc.app/folder]: ';

  it('has a name and a title of its own', () => {
    expect(problems(named('new'))).to.deep.equal([]);
    for (const name of ['general', 'sharedwithme']) {
      expect(problems(named(name, {}, 'x'))).to.deep.equal(['metadata.name: invalid uid for folder p']);
      expect(problems(named(name, {}, 'x'), named(name))).to.deep.equal([]);
    }
    expect(problems(named('x', {}, 'GENERAL'))).to.deep.equal(['spec.title: a folder with that name ']);
  });

  it('lies at most as deep as the setting says, with all folders in it', () => {
    expect(problems(below('c', 'new')), 'the fourth level').to.deep.equal([]);
    expect(problems(below('c', 'new'), undefined, { maxFolderDepth: 3 })).to.deep.equal([
      `${AT_PARENT}Maximum nested folder de`,
    ]);
    expect(problems(below('d', 'a'), named('a')), 'four levels').to.deep.equal([]);
    expect(problems(below('d', 'a'), named('a'), { maxFolderDepth: 3 })).to.deep.equal([
      `${AT_PARENT}Maximum nested folder de`,
    ]);
    expect(problems(below('d', 'c'), below('b', 'c'), { maxFolderDepth: 2 }), 'two levels').to.deep.equal([]);
  });

  it('is looked through in steps, however many folders lie in it', () => {
    const many = Array.from({ length: 1000 }, (_, index) => [FOLDERS, below('a', `in-a-${index}`)] as const);
    const { causes, count } = checked(
      strategyWith().validateInSteps?.(below('d', 'a'), named('a'), contextWith([...WORLD, ...many])),
    );
    expect(causes).to.deep.equal([]);
    expect(count).to.be.at.least(many.length);
  });

  it('stays where it is, also where it could not be put any more', () => {
    const old = below('c', 'x');
    for (const features of [{ maxFolderDepth: 1 }, { nestedFolders: false }])
      expect(problems(below('c', 'x'), old, features)).to.deep.equal([]);
    expect(problems(named('b'), below('a', 'b'), { nestedFolders: false }), 'to the root').to.deep.equal([]);
  });

  it('may name a parent that does not exist, which is checked elsewhere', () => {
    expect(problems(below('none', 'x'))).to.deep.equal([]);
  });

  it('is not put below itself', () => {
    expect(problems(below('a', 'a'), named('a'))).to.deep.equal([`${AT_PARENT}folder cannot be parent `]);
    expect(problems(below('x', 'x'))).to.deep.equal([`${AT_PARENT}folder cannot be parent `]);
    expect(problems(below('c', 'a'), named('a'))).to.deep.equal([`${AT_PARENT}Circular reference detec`]);
    expect(problems(below('c', 'd'), named('d'))).to.deep.equal([]);
  });

  it('is not put below another one while nested folders are disabled, and keeps its place', () => {
    const features = { nestedFolders: false };
    expect(problems(below('a', 'x'), undefined, features)).to.deep.equal([`${AT_PARENT}nested folders are disab`]);
    const updated = (sent: ReturnType<typeof named>, nestedFolders = false) =>
      strategyWith({ nestedFolders }).prepareForUpdate?.(sent, below('a', 'x'), CTX)?.metadata.annotations?.[PARENT];
    expect([named('x'), below('', 'x'), below('general', 'x')].map((sent) => updated(sent))).to.deep.equal([
      'a',
      'a',
      'a',
    ]);
    expect(updated(below('d', 'x'))).to.equal('d');
    expect(
      [named('x'), below('', 'x'), below('general', 'x'), below('d', 'x')].map((sent) => updated(sent, true)),
    ).to.deep.equal([undefined, undefined, undefined, 'd']);
  });

  it('names the root by no annotation', () => {
    const created = (sent: ReturnType<typeof named>) =>
      strategyWith().prepareForCreate?.(sent, CTX)?.metadata.annotations;
    expect([created(below('general', 'x')), created(below('', 'x'))]).to.deep.equal([undefined, undefined]);
    expect(created(below('a', 'x'))).to.deep.equal({ [PARENT]: 'a' });
  });

  it('makes the creator its administrator if that is asked for, at the root', () => {
    const granting = { [GRANT]: 'default' };
    const also = (sent: ReturnType<typeof named>, ctx: DeleteContext = CTX) => {
      const stored = strategyWith().prepareForCreate?.(sent, ctx) ?? sent;
      expect(stored.metadata.annotations ?? {}).not.to.have.property(GRANT);
      return strategyWith()
        .alsoCreate?.(stored, sent, ctx)
        .map(({ name }) => name);
    };
    expect(also(named('x', granting))).to.deep.equal(['x.user.ann']);
    expect(also(named('x', { ...granting, [PARENT]: 'general' }))).to.deep.equal(['x.user.ann']);
    expect(also(named('x', { ...granting, [PARENT]: 'a' }))).to.deep.equal([]);
    expect(also(named('x'))).to.deep.equal([]);
    expect(also(named('x', granting), contextWith([]))).to.deep.equal([]);
    const kept = strategyWith().prepareForUpdate?.(named('x', granting), named('x'), CTX);
    expect(kept?.metadata.annotations).to.equal(undefined);
  });

  it('is refused if it asks for other permissions', () => {
    const sent = named('x', { [GRANT]: 'all' });
    const stored = strategyWith().prepareForCreate?.(sent, CTX) ?? sent;
    expect(problems(stored)).to.deep.equal([`metadata.annotations[${GRANT}]: Unsupported value: suppo`]);
  });

  it('is deleted with folders in it only if callers can see them, or if all goes', () => {
    const refusal = (name: string, features: Partial<Features>, more: Parameters<typeof contextWith>[0] = []) =>
      thrown(() => strategyWith(features).validateDelete?.(named(name), contextWith([...WORLD, ...more]), new Map()));
    expect(refusal('a', {})).to.equal('');
    expect(refusal('a', { nestedFolders: false })).to.match(/^400 Folder cannot be deleted/);
    expect(refusal('c', { nestedFolders: false })).to.equal('');
    const ending = objectOfKind(
      ORGANIZATIONS,
      'default',
      { title: 'Main' },
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
    );
    expect(refusal('a', { nestedFolders: false }, [[ORGANIZATIONS, ending]])).to.equal('');
    expect(
      refusal('a', { nestedFolders: false }, [
        [ORGANIZATIONS, objectOfKind(ORGANIZATIONS, 'default', { title: 'Main' })],
      ]),
    ).to.match(/^400/);
  });
});
