import { expect } from 'chai';
import { runSteps } from '../../../pkg/system/yielding/steps.js';
import { condition, says, withCondition, withoutCondition } from './condition.js';
import { approvalConformant, establishing, nonStructuralSchema, storedVersions, terminating } from './conditions.js';
import { acceptNames, established, hasAcceptedAll, type TakenNames } from './names-accepted.js';
import type { CustomResourceDefinitionNames, Definition } from './schema.js';

const names = { plural: 'things', singular: 'thing', shortNames: ['th'], kind: 'Thing', listKind: 'ThingList' };
const definition = (spec: object, status?: Definition['status']): Definition => ({
  metadata: { name: 'things.example.com' },
  spec: { group: 'example.com', names, ...spec },
  status,
});

function takenNames(all: Iterable<CustomResourceDefinitionNames>): TakenNames {
  const [resources, kinds] = [new Set<string>(), new Set<string>()];
  for (const { plural = '', singular = '', shortNames, kind = '', listKind = '' } of all) {
    for (const name of [plural, singular, ...(shortNames ?? [])]) resources.add(name);
    for (const name of [kind, listKind]) kinds.add(name);
  }
  return { resources, kinds };
}

describe('definitions: conditions', () => {
  it('accept names that are free', () => {
    const { acceptedNames, condition } = acceptNames(definition({}), takenNames([]));
    expect(acceptedNames).to.deep.include(names);
    expect(condition).to.deep.equal({
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    });
    expect(hasAcceptedAll(definition({}, { acceptedNames }))).to.equal(true);
  });

  it('accept none of the names that another kind of the group has, and tell the last conflict', () => {
    const taken = takenNames([
      { plural: 'th', singular: 'thing', shortNames: ['things'], kind: 'Thing', listKind: 'Things' },
    ]);
    const { acceptedNames, condition } = acceptNames(definition({}), taken);
    expect(acceptedNames).to.deep.equal({ listKind: 'ThingList', categories: undefined });
    expect(condition).to.deep.include({
      status: 'False',
      reason: 'KindConflict',
      message: '"Thing" is already in use',
    });
  });

  it('tell all short names that are taken, and keep those that were accepted before', () => {
    const taken = takenNames([{ shortNames: ['a', 'b', 'c'] }]);
    const asked = definition(
      { names: { ...names, shortNames: ['a', 'b', 'c'] } },
      { acceptedNames: { shortNames: ['c'] } },
    );
    const { acceptedNames, condition } = acceptNames(asked, taken);
    expect(acceptedNames.shortNames).to.deep.equal(['c']);
    expect(condition).to.deep.include({
      reason: 'ShortNamesConflict',
      message: '["a" is already in use, "b" is already in use]',
    });
  });

  it('stay established when other names are refused later', () => {
    const status = {
      conditions: [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'm' }],
    };
    expect(established(status, { status: 'False' })).to.deep.include({ status: 'True', message: 'm' });
    expect(established(undefined, { status: 'True' })).to.deep.include({ status: 'False', reason: 'Installing' });
    expect(established(undefined, { status: 'False' })).to.deep.include({ status: 'False', reason: 'NotAccepted' });
  });

  it('establish no definition whose webhook has wrong certificates', () => {
    const conversion = { strategy: 'Webhook', webhook: { clientConfig: { url: 'https://a', caBundle: 'YQ==' } } };
    expect(establishing(definition({ conversion }).spec).reason).to.equal('InvalidCABundle');
    expect(establishing(definition({}).spec).status).to.equal('True');
  });

  it('name what is not structural', () => {
    const schema = (openAPIV3Schema: object): Definition['spec'] =>
      definition({ versions: [{ name: 'v1', schema: { openAPIV3Schema } }] }).spec;
    const told = (spec: Definition['spec']) => runSteps(nonStructuralSchema(spec));
    expect(told(schema({ type: 'object' }))).to.equal(undefined);
    expect(told(schema({}))).to.deep.include({
      reason: 'Violations',
      message: 'spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root',
    });
    expect(told(schema({ id: 'x' }))).to.deep.include({
      status: 'Unknown',
      message: "failed to check validation schema for version v1: OpenAPIV3Schema 'id' is not supported",
    });
  });

  it('ask for an approval in groups of Kubernetes only', () => {
    const inGroup = (group: string, annotation?: string) => ({
      ...definition({ group }),
      metadata: { annotations: annotation === undefined ? {} : { 'api-approved.kubernetes.io': annotation } },
    });
    expect(approvalConformant(inGroup('example.com'))).to.equal(undefined);
    const reasons = [undefined, 'x', 'unapproved', 'https://example.com/1'].map(
      (text) => approvalConformant(inGroup('a.k8s.io', text))?.reason,
    );
    expect(reasons).to.deep.equal([
      'MissingAnnotation',
      'InvalidAnnotation',
      'UnapprovedAnnotation',
      'ApprovedAnnotation',
    ]);
  });

  it('change their time with their status only', () => {
    const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    const before = withCondition(undefined, terminating({ state: 'in-progress' }), first);
    const failed = withCondition(before, terminating({ state: 'list-failed', error: 'e' }), second);
    expect(failed[0]).to.deep.include({ lastTransitionTime: first, message: 'could not list instances: e' });
    const done = withCondition(failed, terminating({ state: 'completed' }), second);
    expect(done[0]).to.deep.include({ status: 'False', lastTransitionTime: second });
    expect(
      says(done, condition('Terminating', 'False', 'InstanceDeletionCompleted', 'removed all instances')),
    ).to.equal(true);
    expect(withoutCondition(done, 'Terminating')).to.deep.equal([]);
    const held = withCondition(failed, terminating({ state: 'completed' }, true), second);
    expect(held[0]).to.deep.include({ status: 'True', reason: 'InstanceDeletionCompleted', lastTransitionTime: first });
  });

  it('add the storage version to the stored versions', () => {
    const { spec } = definition({ versions: [{ name: 'v1' }, { name: 'v2', storage: true }] });
    expect(storedVersions(spec, { storedVersions: ['v1'] })).to.deep.equal(['v1', 'v2']);
    expect(storedVersions(spec, { storedVersions: ['v2', 'v1'] })).to.deep.equal(['v2', 'v1']);
  });
});
