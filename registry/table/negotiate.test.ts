import { expect } from 'chai';
import { type AnswerContent, includeObjectOf, negotiate } from './negotiate.js';

const KUBECTL =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
const METADATA_CLIENT =
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
const TYPED = 'application/vnd.kubernetes.protobuf,application/json';

const FOLDER = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder' };
const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };

function codeOf(accept: string, target: AnswerContent, kind = FOLDER): unknown {
  try {
    return negotiate(accept, target, kind).as;
  } catch (error) {
    return (error as { code?: number }).code;
  }
}

describe('negotiate', () => {
  for (const target of ['object', 'list', 'watch'] as const) {
    // Promise: contract 1.6
    it(`returns a plain ${target} if the client accepts it`, () => {
      for (const accept of [undefined, '', '*/*', 'application/*', 'application/json', TYPED, 'text/html,*/*;q=0.8']) {
        const expected = { as: 'object', version: 'v1', isProtobuf: false };
        expect(negotiate(accept, target, FOLDER), String(accept)).to.deep.equal(expected);
      }
    });

    // Promise: contract 2
    it(`returns a table of ${target} to kubectl`, () => {
      const expected = { as: 'Table', version: 'v1', isProtobuf: false };
      expect(negotiate(KUBECTL, target, LEASE)).to.deep.equal(expected);
    });
  }

  // Promise: contract 2
  it('returns v1beta1 if the client accepts nothing else', () => {
    expect(negotiate('application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'list', FOLDER).version).to.equal('v1beta1');
  });

  // Promise: contract 2
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

  // Promise: contract 1.6
  it('returns protobuf for kinds of Kubernetes, and JSON for others', () => {
    for (const target of ['object', 'list', 'watch'] as const) {
      expect(negotiate(TYPED, target, LEASE).isProtobuf).to.equal(true);
      expect(negotiate(TYPED, target, FOLDER).isProtobuf).to.equal(false);
      expect(codeOf('application/vnd.kubernetes.protobuf', target, LEASE)).to.equal('object');
      expect(codeOf('application/vnd.kubernetes.protobuf', target, FOLDER)).to.equal(406);
    }
    expect(negotiate('application/*', 'object', LEASE).isProtobuf).to.equal(false);
    expect(negotiate('application/vnd.kubernetes.protobuf;stream=watch', 'watch', LEASE).isProtobuf).to.equal(true);
  });

  it('returns metadata in protobuf for all kinds, and tables never', () => {
    const metadata = { as: 'PartialObjectMetadataList', version: 'v1', isProtobuf: true };
    expect(negotiate(METADATA_CLIENT, 'list', FOLDER)).to.deep.equal(metadata);
    const table = 'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io';
    expect(codeOf(table, 'list', LEASE)).to.equal(406);
    expect(negotiate(`${table},${KUBECTL}`, 'list', LEASE)).to.deep.include({ as: 'Table', isProtobuf: false });
  });

  it('prefers a higher quality to an earlier position', () => {
    expect(codeOf('application/json;as=Table;v=v1;g=meta.k8s.io;q=0.1,application/json;q=0.9', 'list')).to.equal(
      'object',
    );
    expect(codeOf('application/json;q=0', 'list')).to.equal(406);
  });

  // Promise: contract 1.6
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
