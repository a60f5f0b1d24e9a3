import { expect } from 'chai';
import { applySubresources } from './messages.js';

describe('the subresources of an apply set', () => {
  it('say that an application may take the fields of others, and is the only one to do so', () => {
    const all = applySubresources('apply.svc.app').map(({ name, verbs, postParameters = [] }) => [
      name,
      verbs,
      postParameters.map((parameter) => [parameter.name, parameter.in]),
    ]);
    expect(all).to.deep.equal([
      ['apply', ['create'], [['force', 'query']]],
      ['members', ['get'], []],
    ]);
  });
});
