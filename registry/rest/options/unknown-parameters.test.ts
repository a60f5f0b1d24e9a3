import { expect } from 'chai';
import { targetNamed } from '../testing/requests.js';
import { parameterWarnings } from './unknown-parameters.js';

const { kind } = targetNamed('a', { deleteOptions: {} });
const { kind: withOption } = { kind: { ...kind, deleteOptions: { forceDelete: kind } } } as never as {
  kind: typeof kind;
};
const warningsOf = (query: string, of = kind, verb = 'list', subresource = '') =>
  parameterWarnings(new URLSearchParams(query), of, verb, subresource);
const warningOf = (query: string, of = kind, verb = 'list') => warningsOf(query, of, verb)[0];

describe('the query parameters of a request to the resource API', () => {
  it('are those of Kubernetes, that of a history, and those that the kind declares', () => {
    for (const [verb, query, subresource = ''] of [
      ['list', ''],
      ['list', 'limit=1&continue=x&labelSelector=a&timeout=1s&pretty'],
      ['watch', 'watch=true&timeoutSeconds=1&resourceVersion=1&allowWatchBookmarks=true&sendInitialEvents=true'],
      ['create', 'dryRun=All&dryRun=All&fieldManager=x&fieldValidation=Strict'],
      ['patch', 'force=true&fieldManager=x'],
      ['delete', 'uid=a&propagationPolicy=Orphan&gracePeriodSeconds=0'],
      ['deletecollection', 'limit=1&labelSelector=a&propagationPolicy=Orphan'],
      ['get', 'version=1&limit=2&continue=x', 'history'],
      ['create', 'force=true', 'apply'],
    ] as const)
      expect(warningsOf(query, kind, verb, subresource), query).to.deep.equal([]);
    expect(warningOf('forceDelete=true', withOption)).to.equal(undefined);
  });

  it('are warned of if they are unknown', () => {
    expect(warningOf('forceDelete=true')).to.equal('unknown query parameter "forceDelete"');
    expect(warningOf('a=1&limit=1&b=2&a=3')).to.equal('unknown query parameters "a", "b"');
    const many = Array.from({ length: 99 }, (_, index) => `${'x'.repeat(200)}${index}=1`).join('&');
    expect(warningOf(many)?.length).to.be.below(1100);
  });

  it('are refused in the wrong case, because the request would do something else', () => {
    for (const [query, meant] of [
      ['dryrun=All', 'dryRun'],
      ['labelselector=a', 'labelSelector'],
      ['x=1&UID=a', 'uid'],
    ] as const)
      expect(() => warningOf(query), query)
        .to.throw(`did you mean "${meant}"?`)
        .and.have.property('code', 400);
    expect(() => warningOf('forcedelete=true', withOption)).to.throw('did you mean "forceDelete"?');
  });

  it('are refused if they look like known ones or like selectors', () => {
    for (const [query, meant] of [
      ['labelSelectors=a', 'labelSelector'],
      ['lableSelector=a', 'labelSelector'],
      ['label-selector=a', 'labelSelector'],
      ['field_selector=a', 'fieldSelector'],
      ['dry-run=All', 'dryRun'],
      ['dryRuns=All', 'dryRun'],
      ['limits=1', 'limit'],
      ['fieldManger=a', 'fieldManager'],
    ] as const)
      expect(() => warningOf(query), query).to.throw(`did you mean "${meant}"?`);
    for (const query of ['selector=a', 'shardSelector=a'])
      expect(() => warningOf(query), query).to.throw('there are "labelSelector" and "fieldSelector"');
    for (const query of [
      'a=1',
      'orgId=1',
      'x-y=1',
      'follow=true',
      'ignoreStoreReadErrorWithClusterBreakingPotential=true',
    ])
      expect(warningOf(query), query).to.include('unknown query parameter');
  });

  // Promise: contract 3.5
  it('are refused if they come with two values, of which only one would count', () => {
    for (const query of ['labelSelector=a&labelSelector=b', 'labelSelector=&labelSelector=a', 'limit=1&limit=2'])
      expect(() => warningOf(query), query).to.throw('has two values');
    expect(warningOf('limit=1&limit=1')).to.equal(undefined);
  });

  // Promise: contract 3.5
  it('of other verbs are refused where they would do less, and warned of in a read', () => {
    for (const [verb, query] of [
      ['delete', 'labelSelector=a'],
      ['update', 'uid=a'],
      ['patch', 'resourceVersion=1'],
      ['create', 'fieldSelector=a'],
      ['deletecollection', 'force=true'],
    ] as const)
      expect(() => warningOf(query, kind, verb), verb).to.throw(`has no effect on the verb ${verb}`);
    for (const [verb, query] of [
      ['get', 'labelSelector=a'],
      ['get', 'version=3'],
      ['list', 'dryRun=All'],
      ['watch', 'limit=1'],
      ['update', 'propagationPolicy=Orphan'],
      ['update', 'force=true'],
      ['delete', 'fieldValidation=Strict'],
      ['create', 'limit=1'],
    ] as const)
      expect(warningOf(query, kind, verb), query).to.include(`has no effect on the verb ${verb}`);
    expect(warningsOf('x=1&force=true&limit=1', kind, 'create')).to.have.length(3);
    expect(warningOf('uid=a&resourceVersion=1', kind, 'delete')).to.equal(undefined);
  });

  it('are known ones only in a deletion of a collection', () => {
    expect(warningOf('limit=1', kind, 'deletecollection')).to.equal(undefined);
    expect(() => warningOf('name=a', kind, 'deletecollection'))
      .to.throw('unknown query parameter "name": it could be meant to delete less')
      .and.have.property('code', 400);
  });
});
