import { expect } from 'chai';
import fc from 'fast-check';
import { splitElements } from './elements.js';

const most = { elements: 1000, error: () => new Error('too many') };

function split(text: string) {
  const found = splitElements(Buffer.from(text), ['spec', 'objects'], most);
  const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
  return found && { rest: textOf(found.rest), elements: found.elements.map(textOf) };
}

describe('splitElements', () => {
  it('finds the array at the path, and nowhere else', () => {
    expect(
      split('{"objects":[1],"other":{"objects":[2]},"spec":{"a":{"objects":[3]},"objects":[{"x":"]"},4]}}'),
    ).to.deep.equal({
      rest: '{"objects":[1],"other":{"objects":[2]},"spec":{"a":{"objects":[3]},"objects":[]}}',
      elements: ['{"x":"]"}', '4'],
    });
    for (const text of [
      '{}',
      '[]',
      '"spec"',
      '{"spec":{"objects":{}}}',
      '{"spec":["objects",[1]]}',
      '{"spec":{"objects":[1',
    ])
      expect(split(text), text).to.equal(undefined);
  });

  it('refuses more elements than it may have', () => {
    const run = () =>
      splitElements(Buffer.from('{"spec":{"objects":[1,2,3]}}'), ['spec', 'objects'], { ...most, elements: 2 });
    expect(run).to.throw('too many');
  });

  it('gives the elements of any array, and the document without them', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.constantFrom(0, 2), (objects, other, indent) => {
        const found = split(JSON.stringify({ other, spec: { other, objects, more: other } }, null, indent));
        expect(found?.elements.map((text) => JSON.parse(text))).to.deep.equal(JSON.parse(JSON.stringify(objects)));
        expect(JSON.parse(found?.rest ?? '')).to.deep.equal(
          JSON.parse(JSON.stringify({ other, spec: { other, objects: [], more: other } })),
        );
      }),
    );
  });
});
