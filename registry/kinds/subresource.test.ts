import { expect } from 'chai';
import { z } from 'zod';
import { defineSubresource } from '../client/define-subresource.js';
import { LAMP } from '../testing/house.js';
import { aliasesOf, aliasResources, statusSubresource } from './subresource.js';

const MESSAGE = {
  group: 'house.svc.app',
  version: 'v1',
  kind: 'Switch',
  description: 'A switch.',
  answer: z.object({ isLit: z.boolean() }),
};
const get = () => ({ isLit: true });
const OLD = { group: '', version: 'v1' };
const NEW = { group: 'light.svc.app', version: 'v2' };

describe('a part of an object with verbs of its own', () => {
  it('has the verbs that it has handlers for, and the kind of its messages', () => {
    const made = defineSubresource({ name: 'switch', kind: MESSAGE, verbs: { get }, aliases: [OLD] });
    expect(made).to.deep.equal({ name: 'switch', kind: MESSAGE, verbs: ['get'], handlers: { get }, aliases: [OLD] });
    const own = defineSubresource({ name: 'own', verbs: { get: ({ object }) => object } });
    expect(own).to.not.have.property('kind');
    expect([own.verbs, own.aliases]).to.deep.equal([['get'], []]);
  });

  it('is the status, which can be written unless only the server does that', () => {
    expect(statusSubresource(true)).to.deep.equal({ name: 'status', verbs: ['get', 'patch', 'update'], handlers: {} });
    expect(statusSubresource(false).verbs).to.deep.equal(['get']);
  });
});

describe('the places where clients also look for parts of objects', () => {
  const [one, two, three] = [[OLD], [OLD, NEW], []].map((aliases, index) =>
    defineSubresource({ name: `part-${index}`, kind: MESSAGE, verbs: { get }, aliases }),
  );
  const kind = { ...LAMP, subresources: [one, two, three, statusSubresource(true)].flatMap((part) => part ?? []) };

  it('have all parts with an alias there', () => {
    expect(aliasesOf([kind])).to.deep.equal([
      { ...OLD, kind, subresources: [one, two] },
      { ...NEW, kind, subresources: [two] },
    ]);
    expect(aliasesOf([LAMP])).to.deep.equal([]);
  });

  it('are shown as resources without verbs of their own', () => {
    const shown = {
      kind: 'Lamp',
      resource: 'lamps',
      singular: 'lamp',
      scope: 'Namespaced',
      verbs: [],
      description: LAMP.description,
    };
    expect(aliasResources([kind, LAMP])).to.deep.equal([
      { ...OLD, ...shown, subresources: [one, two] },
      { ...NEW, ...shown, subresources: [two] },
    ]);
  });
});
