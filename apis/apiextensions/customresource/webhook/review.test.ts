import { expect } from 'chai';
import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import { convertedObjects, ReviewError } from './review.js';

const objectOf = (apiVersion: string, i: number): KubeObject =>
  ({ apiVersion, kind: 'Widget', metadata: { name: `w${i}`, uid: `u${i}` } }) as KubeObject;
const objects = Array.from({ length: 100 }, (_, i) => objectOf('example.com/v1', i));
const request = { uid: 'u', desiredAPIVersion: 'example.com/v2', objects };
const answerOf = (converted: readonly unknown[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  response: { uid: 'u', result: { status: 'Success' }, convertedObjects: converted },
});

describe('the answer of a webhook', () => {
  it('is checked in as many steps as it has objects', () => {
    const converted = objects.map((_, i) => objectOf('example.com/v2', i));
    expect([...convertedObjects(answerOf(converted), request, 'v1')]).to.have.length(100);
  });

  it('is refused with the object that is wrong', () => {
    const steps = convertedObjects(answerOf(objects), request, 'v1');
    expect(() => steps.next()).to.throw(ReviewError, 'at index 0: invalid groupVersion');
  });
});
