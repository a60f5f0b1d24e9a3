import { expect } from 'chai';
import { z } from 'zod';
import { refusal, requestWith, targetNamed } from '../testing/requests.js';
import { deleteOptions } from './delete-options.js';

interface Given {
  readonly query?: string;
  readonly body?: unknown;
  readonly type?: string;
}

const KIND = { deleteOptions: { force: z.enum(['true', 'false']) } };

function parsed({ query = '', body = '', type }: Given) {
  const headers = type === undefined ? {} : { 'content-type': type };
  return deleteOptions(requestWith({ method: 'DELETE', query, body, headers }), targetNamed('a', KIND));
}

const propagation = (given: Given) => parsed(given).options.propagation;
const refused = (given: Given) => refusal(() => parsed(given));

describe('the options of a delete', () => {
  it('are empty without a body and parameters', () => {
    for (const given of [{}, { body: {} }, { body: { kind: 'DeleteOptions', apiVersion: 'v1' } }]) {
      const { caller, options } = parsed(given);
      const none = { propagation: undefined, operation: undefined };
      expect(options).to.deep.equal({ preconditions: {}, parameters: new Map(), ...none });
      expect(caller.isDryRun).to.equal(false);
    }
  });

  // Promise: contract 3.5
  it('warn of a time to wait, because objects are deleted at once', () => {
    for (const given of [{ body: { gracePeriodSeconds: 30 } }, { query: 'gracePeriodSeconds=1' }])
      expect(parsed(given).warnings).to.deep.equal(['gracePeriodSeconds has no effect: objects are deleted at once']);
    for (const given of [{}, { body: { gracePeriodSeconds: 0 } }, { query: 'gracePeriodSeconds=0' }])
      expect(parsed(given).warnings).to.deep.equal([]);
  });

  it('name the operation that the deletion is a part of, by a short word', () => {
    expect(parsed({ query: 'operation=a.B_c-1' }).options.operation).to.equal('a.B_c-1');
    for (const operation of ['', 'a b', '%00', 'a'.repeat(64)])
      expect(refused({ query: `operation=${operation}` })[0], operation).to.equal(400);
  });

  it('have the policy of the body, or that of the parameter', () => {
    for (const policy of ['Orphan', 'Background', 'Foreground']) {
      expect(propagation({ body: { propagationPolicy: policy } })).to.equal(policy);
      expect(propagation({ query: `propagationPolicy=${policy}` })).to.equal(policy);
    }
    expect(propagation({ query: 'propagationPolicy=Orphan', body: { propagationPolicy: 'Foreground' } })).to.equal(
      'Foreground',
    );
    expect(propagation({ body: { propagationPolicy: null } })).to.equal(undefined);
    for (const wrong of [
      { query: 'propagationPolicy=orphan' },
      { query: 'propagationPolicy=' },
      { body: { propagationPolicy: '' } },
    ])
      expect(refused(wrong)).to.deep.equal([422, 'propagationPolicy']);
  });

  it('take the older orphanDependents, too, but not both', () => {
    const asked = [true, false].flatMap((orphan) => [
      propagation({ body: { orphanDependents: orphan } }),
      propagation({ query: `orphanDependents=${orphan}` }),
    ]);
    expect(asked).to.deep.equal(['Orphan', 'Orphan', 'Background', 'Background']);
    for (const orphanDependents of [true, false])
      expect(refused({ body: { orphanDependents, propagationPolicy: 'Orphan' } })).to.deep.equal([
        422,
        'propagationPolicy',
      ]);
  });

  it('have the preconditions of the body, or those of the parameters', () => {
    const of = (preconditions: unknown) => parsed({ body: { preconditions } }).options.preconditions;
    expect(of({ uid: 'u', resourceVersion: '5' })).to.deep.equal({ uid: 'u', resourceVersion: '5' });
    expect(of({ uid: 'u' })).to.deep.equal({ uid: 'u' });
    for (const none of [null, {}, { uid: null, resourceVersion: null }]) expect(of(none)).to.deep.equal({});
    expect(of({ uid: '', resourceVersion: '' })).to.deep.equal({ uid: '', resourceVersion: '' });
    expect(parsed({ query: 'uid=u&resourceVersion=' }).options.preconditions).to.deep.equal({
      uid: 'u',
      resourceVersion: '',
    });
    const both = parsed({ query: 'uid=q&resourceVersion=5', body: { preconditions: { uid: 'b' } } });
    expect(both.options.preconditions).to.deep.equal({ uid: 'b', resourceVersion: '5' });
  });

  it('are refused with a member that is not known, because it may be a precondition', () => {
    for (const body of [{ precondition: { uid: 'u' } }, { preconditions: { UID: 'u' } }, { dryrun: ['All'] }, { x: 1 }])
      expect(refused({ body })[0], JSON.stringify(body)).to.equal(400);
    expect(() => parsed({ body: { dryrun: ['All'] } })).to.throw(
      'the body must be DeleteOptions: Unrecognized key: "dryrun"',
    );
    parsed({ body: { ignoreStoreReadErrorWithClusterBreakingPotential: false } });
  });

  it('are a dry run if the body or the parameter says so', () => {
    for (const given of [{ query: 'dryRun=All' }, { body: { dryRun: ['All'] } }])
      expect(parsed(given).caller.isDryRun).to.equal(true);
    for (const given of [{ body: { dryRun: [] } }, { body: { dryRun: null } }])
      expect(parsed(given).caller.isDryRun).to.equal(false);
    expect(refused({ body: { dryRun: ['Some'] } })).to.deep.equal([422, 'dryRun']);
  });

  it('have the parameters that the kind declares, and ignore others', () => {
    expect([...(parsed({ query: 'force=true&other=1' }).options.parameters ?? [])]).to.deep.equal([['force', 'true']]);
    expect(refused({ query: 'force=perhaps' })).to.deep.equal([400]);
  });

  it('are refused if they cannot be read', () => {
    const bodies = [
      '{',
      '[]',
      '1',
      { kind: 'Status' },
      { preconditions: 1 },
      { gracePeriodSeconds: -1 },
      { gracePeriodSeconds: 0.5 },
    ];
    for (const body of bodies) expect(refused({ body }), JSON.stringify(body)).to.deep.equal([400]);
    for (const wrong of ['soon', '-1', ''])
      expect(refused({ query: `gracePeriodSeconds=${wrong}` }), wrong).to.deep.equal([400]);
    expect(refused({ body: '{}', type: 'text/plain' })).to.deep.equal([415]);
  });

  it('may be YAML', () => {
    expect(propagation({ body: 'propagationPolicy: Orphan', type: 'application/yaml' })).to.equal('Orphan');
  });
});
