import { expect } from 'chai';
import { manifestsIn } from './client/pages/sets/manifests.js';
import { placedWords } from './client/pages/sets/places.js';

const folder = (name: string, more = ''): string =>
  `kind: Folder\napiVersion: v1\nmetadata:\n  name: ${name}\nspec:\n${more}  title: ${name}\n`;

describe('the place that a refused plan names', () => {
  const text = `${folder('a')}---\n${folder('b', '  titel: B\n')}`;
  const { manifests = [] } = manifestsIn(text);

  it('is the line of the field, and otherwise that of the document', () => {
    const said = 'spec.objects[1] (Folder "b") is invalid: unknown field ".spec.titel"';
    expect(placedWords(said, manifests)).to.match(/^document 2 \(line 13\) \(Folder/);
    expect(placedWords('spec.objects[1] (Folder "b")', manifests, '.spec.titel')).to.match(/^document 2 \(line 13\)/);
    expect(placedWords('spec.objects[1] (Folder "b") is there', manifests)).to.match(/^document 2 \(line 8\)/);
    expect(placedWords('spec.objects[7]: .spec.titel', manifests)).to.equal('spec.objects[7]: .spec.titel');
  });

  it('is inside of a list, too', () => {
    const list = `kind: List\nitems:\n- kind: Folder\n  apiVersion: v1\n  metadata: {}\n  spec:\n    titel: B\n`;
    const found = manifestsIn(list).manifests ?? [];
    expect(placedWords('spec.objects[0]: unknown field "spec.titel"', found)).to.match(/^the text, item 1 \(line 7\)/);
  });
});
