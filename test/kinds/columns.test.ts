import { expect } from 'chai';
import { kinds } from '../../apis/kinds.js';
import { LONG } from '../../apis/testing/kind-examples.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { examplesOf } from '../harness/kind-examples.js';
import { ENVIRONMENT } from '../harness/server.js';

/**
 * The most columns of text that a table may take, with rather long names, titles and addresses. Other columns belong to
 * `-o wide`.
 */
const SCREEN = 100;
/** The spaces that kubectl prints between two columns. */
const GAP = 3;
const AGE = '2y3d'.length;

/** Kinds whose columns show nothing of the spec. */
const PLAIN = ['CustomResourceDefinition', 'Service'];

const sampleOf = (kind: Kind): object | undefined => examplesOf(kind).examples?.columnSample;

function widthOf(kind: Kind, spec: object): number {
  const { name } = LONG;
  const metadata = { name, namespace: 'default', annotations: { 'svc.app/folder': name } };
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec } as KubeObject;
  const columns = (kind.columns ?? []).filter(({ priority }) => priority === 0);
  const widths = columns.map(({ name: head, cell }) => Math.max(head.length, String(cell(object, new Date())).length));
  return [name.length, ...widths, AGE].reduce((sum, width) => sum + width) + GAP * (widths.length + 1);
}

describe('the tables of kubectl get', () => {
  const served = kinds(ENVIRONMENT).filter(({ served, spec, conversion }) => served && spec && !conversion);

  it('have a sample of each kind with a spec', () => {
    const without = served.filter((kind) => sampleOf(kind) === undefined);
    expect(without.map(({ kind }) => kind)).to.have.members(PLAIN);
  });

  for (const kind of served)
    it(`show ${kind.resource} in ${SCREEN} columns`, () => {
      expect(widthOf(kind, sampleOf(kind) ?? {})).to.be.at.most(SCREEN);
    });
});
