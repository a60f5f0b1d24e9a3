import { expect } from 'chai';
import { includeObjectOf, negotiate, type Target } from './negotiate.js';

const KUBECTL =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
const METADATA_CLIENT =
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
const TYPED = 'application/vnd.kubernetes.protobuf,application/json';

function codeOf(accept: string, target: Target): unknown {
  try {
    return negotiate(accept, target).as;
  } catch (error) {
    return (error as { code?: number }).code;
  }
}

describe('negotiate', () => {
  for (const target of ['object', 'list', 'watch'] as const) {
    it(`returns a plain ${target} if the client accepts it`, () => {
      for (const accept of [undefined, '', '*/*', 'application/*', 'application/json', TYPED, 'text/html,*/*;q=0.8']) {
        expect(negotiate(accept, target), String(accept)).to.deep.equal({ as: 'object', version: 'v1' });
      }
    });

    it(`returns a table of ${target} to kubectl`, () => {
      expect(negotiate(KUBECTL, target)).to.deep.equal({ as: 'Table', version: 'v1' });
    });
  }

  it('returns v1beta1 if the client accepts nothing else', () => {
    expect(negotiate('application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'list').version).to.equal('v1beta1');
  });

  it('returns PartialObjectMetadataList for lists only, and PartialObjectMetadata for objects and events only', () => {
    const one = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const list = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
    expect((['object', 'list', 'watch'] as const).map((target) => codeOf(one, target))).to.deep.equal([
      'PartialObjectMetadata',
      406,
      'PartialObjectMetadata',
    ]);
    expect((['object', 'list', 'watch'] as const).map((target) => codeOf(list, target))).to.deep.equal([
      406,
      'PartialObjectMetadataList',
      406,
    ]);
  });

  it('skips protobuf if JSON is also accepted', () => {
    expect(negotiate(METADATA_CLIENT, 'list').as).to.equal('PartialObjectMetadataList');
  });

  it('prefers a higher quality to an earlier position', () => {
    expect(codeOf('application/json;as=Table;v=v1;g=meta.k8s.io;q=0.1,application/json;q=0.9', 'list')).to.equal(
      'object',
    );
    expect(codeOf('application/json;q=0', 'list')).to.equal(406);
  });

  it('throws 406 if nothing matches', () => {
    for (const accept of [
      'text/html',
      'application/vnd.kubernetes.protobuf',
      'application/json;as=Chart;v=v1;g=meta.k8s.io',
      'application/json;as=Table;v=v2;g=meta.k8s.io',
      'application/json;as=Table;v=v1;g=example.org',
      'application/json;as=Table',
    ]) {
      expect(codeOf(accept, 'list'), accept).to.equal(406);
    }
  });

  it('accepts stream=watch for a watch only', () => {
    const accept = 'application/json;stream=watch';
    expect(codeOf(accept, 'watch')).to.equal('object');
    expect(codeOf(accept, 'list')).to.equal(406);
    expect(codeOf('application/json;stream=other', 'watch')).to.equal(406);
  });
});

describe('includeObjectOf', () => {
  it('is Metadata by default', () => {
    expect(
      ['', 'includeObject=', 'includeObject=Object', 'includeObject=None', 'includeObject=Metadata'].map(read),
    ).to.deep.equal(['Metadata', 'Metadata', 'Object', 'None', 'Metadata']);
  });

  it('refuses other values with 400', () => {
    expect(() => read('includeObject=All'))
      .to.throw('Unable to convert to Table as requested')
      .with.property('code', 400);
  });
});

function read(query: string): string {
  return includeObjectOf(new URLSearchParams(query));
}
