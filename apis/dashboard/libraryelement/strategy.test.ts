import { expect } from 'chai';
import type { DeleteContext } from '../../../registry/kinds/strategy.js';
import { contextWith, objectOfKind, thrown } from '../../../registry/testing/write-context.js';
import { organization } from '../../iam/organization/kind.js';
import { environmentWith } from '../../test-environment.js';
import { dashboard } from '../dashboard/kind.js';
import { dashboardStrategy } from '../dashboard/strategy.js';
import { libraryElement } from './kind.js';
import { libraryElementStrategy } from './strategy.js';

const ENVIRONMENT = environmentWith();
const DASHBOARDS = dashboard(ENVIRONMENT);
const ELEMENTS = libraryElement(ENVIRONMENT);
const ORGANIZATIONS = organization(ENVIRONMENT);
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const AT_ROOT = { annotations: { 'svc.app/folder': 'general' } };

const element = (spec: object, metadata = {}) =>
  objectOfKind(ELEMENTS, 'e', { name: 'E', kind: 1, model: {}, ...spec }, metadata);
const using = (name: string, metadata = {}) =>
  [
    DASHBOARDS,
    objectOfKind(DASHBOARDS, name, { title: name, panels: [{ libraryPanel: { uid: 'e' } }] }, metadata),
  ] as const;

describe('a library element', () => {
  const strategy = () => libraryElementStrategy(ENVIRONMENT);
  const fields = (spec: object) =>
    strategy()
      .validate?.(element(spec), undefined, contextWith())
      .map(({ field }) => field);

  it('says the same as its model, and names the root by no annotation', () => {
    const created = strategy().prepareForCreate?.(
      element({ type: 'text', model: { description: 'd' } }, AT_ROOT),
      contextWith(),
    );
    expect(created?.spec).to.deep.include({ type: 'text', description: 'd' });
    expect(created?.metadata).not.to.have.property('annotations');
    const old = element({ type: 'text', model: { type: 'text' } });
    const updated = strategy().prepareForUpdate?.(
      element({ type: 'graph', model: { type: 'text' } }, AT_ROOT),
      old,
      contextWith(),
    );
    expect(updated?.spec).to.deep.include({ type: 'graph' });
    expect(updated?.spec?.model).to.include({ type: 'graph' });
    expect(updated?.metadata).not.to.have.property('annotations');
  });

  it('contains no library elements', () => {
    expect(fields({ model: { panels: [{ type: 'text' }] } })).to.deep.equal([]);
    expect(fields({ model: { panels: [{ libraryPanel: { uid: 'other' } }] } })).to.deep.equal(['spec.model.panels']);
  });

  it('has a type and a description within their bounds, also if the model gives them', () => {
    expect(fields({ type: 'text', description: 'd' })).to.deep.equal([]);
    expect(fields({})).to.deep.equal([]);
    const long = 'x'.repeat(100_001);
    expect(fields({ type: long })).to.deep.equal(['spec.model.type']);
    expect(fields({ description: long })).to.deep.equal(['spec.model.description']);
  });

  it('is not deleted while a dashboard uses it', () => {
    const deleted = (ctx: DeleteContext) => thrown(() => strategy().validateDelete?.(element({}), ctx, new Map()));
    expect(deleted(contextWith())).to.equal('');
    expect(deleted(contextWith([using('d')]))).to.match(
      /^403 libraryelements.dashboard.svc.app "e" is forbidden: dashboards use this library element/,
    );
    expect(deleted(contextWith([using('d', GOING)]))).to.equal('');
    const another = objectOfKind(DASHBOARDS, 'd', { title: 'D', panels: [{ libraryPanel: { uid: 'other' } }] });
    expect(deleted(contextWith([[DASHBOARDS, another]]))).to.equal('');
    expect(deleted(contextWith([using('d', GOING), using('f')]))).to.match(/^403/);
    const isGoing = (resource: string, namespace: string, name: string) =>
      resource === DASHBOARDS.qualified && namespace === 'default' && name === 'd';
    expect(deleted(contextWith([using('d')], { isGoing }))).to.equal('');
    expect(deleted(contextWith([using('d'), using('f')], { isGoing }))).to.match(/^403/);
    const ending = objectOfKind(ORGANIZATIONS, 'default', { title: 'Main' }, GOING);
    expect(deleted(contextWith([using('d'), [ORGANIZATIONS, ending]]))).to.equal('');
  });

  it('tells by a cause of its own that it is in use', () => {
    let causes: unknown;
    try {
      strategy().validateDelete?.(element({}), contextWith([using('d')]), new Map());
    } catch (error) {
      causes = (error as { details?: { causes?: unknown } }).details?.causes;
    }
    expect(causes).to.deep.equal([
      { reason: 'LibraryElementInUse', message: 'dashboards use this library element: remove it from them first' },
    ]);
  });
});

describe('a dashboard', () => {
  it('repeats no metadata, has each tag once, and names the root by no annotation', () => {
    const strategy = dashboardStrategy(ENVIRONMENT);
    const sent = objectOfKind(
      DASHBOARDS,
      'd',
      { id: 1, uid: 'd', version: 3, title: 'D', tags: ['a', '', 'b', 'a'], more: 1 },
      AT_ROOT,
    );
    for (const stored of [
      strategy.prepareForCreate?.(sent, contextWith()),
      strategy.prepareForUpdate?.(sent, sent, contextWith()),
    ]) {
      expect(stored?.spec).to.deep.equal({ title: 'D', tags: ['a', 'b'], more: 1 });
      expect(stored?.metadata).not.to.have.property('annotations');
    }
    const untagged = objectOfKind(DASHBOARDS, 'd', { title: 'D' });
    expect(strategy.prepareForCreate?.(untagged, contextWith()).spec).to.deep.equal({ title: 'D' });
  });
});
