import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { library } from '../testing/library.js';
import {
  messageCauses,
  messageOf,
  restoredMessage,
  restoredVersion,
  withKeptMessage,
  withMessage,
  withNewMessage,
} from './message.js';

const { book: BOOK, writer: WRITER } = library();
const KEY = 'svc.app/message';

const saying = (message?: string, others: Readonly<Record<string, string>> = {}): KubeObject => {
  const annotations = { ...others, ...(message !== undefined && { [KEY]: message }) };
  const metadata = { name: 'a', ...(Object.keys(annotations).length > 0 && { annotations }) };
  return { apiVersion: 'v1', kind: 'Book', metadata };
};

describe('the message of a version', () => {
  it('is an annotation', () => {
    expect([
      messageOf(BOOK, saying('x')),
      messageOf(BOOK, saying()),
      messageOf(BOOK, saying(undefined, { a: 'b' })),
    ]).to.deep.equal(['x', undefined, undefined]);
    expect(withMessage(BOOK, saying(undefined, { a: 'b' }), 'x')).to.deep.equal(saying('x', { a: 'b' }));
    expect(withMessage(BOOK, saying('old', { a: 'b' }), undefined)).to.deep.equal(saying(undefined, { a: 'b' }));
    expect(withMessage(BOOK, saying('old'), undefined).metadata).to.deep.equal({ name: 'a' });
    expect(withMessage(BOOK, saying(), 'x')).to.deep.equal(saying('x'));
  });

  it('stays with a write that sends none, and is replaced by one that sends another', () => {
    expect(withKeptMessage(BOOK, saying(), saying('old'))).to.deep.equal(saying('old'));
    const sent = saying('new');
    expect(withKeptMessage(BOOK, sent, saying('old'))).to.equal(sent);
    const none = saying();
    expect(withKeptMessage(BOOK, none, saying())).to.equal(none);
    expect(withKeptMessage(WRITER, none, saying('old')), 'a kind without history').to.equal(none);
  });

  it('is not that of the version before: the same message counts as none', () => {
    expect(withNewMessage(BOOK, saying('old'), saying('old'))).to.deep.equal(saying());
    const [other, none] = [saying('new'), saying()];
    expect(withNewMessage(BOOK, other, saying('old'))).to.equal(other);
    expect(withNewMessage(BOOK, none, saying('old'))).to.equal(none);
    expect(withNewMessage(BOOK, none, saying())).to.equal(none);
    const same = saying('old');
    expect(withNewMessage(WRITER, same, saying('old')), 'a kind without history').to.equal(same);
  });

  it('has at most 5000 characters', () => {
    expect(messageCauses(BOOK, saying('x'.repeat(5000)))).to.deep.equal([]);
    expect(messageCauses(BOOK, saying())).to.deep.equal([]);
    expect(messageCauses(BOOK, saying('x'.repeat(5001)))).to.deep.equal([
      {
        reason: 'FieldValueTooLong',
        message: 'Too long: may not be more than 5000 characters',
        field: 'metadata.annotations[svc.app/message]',
      },
    ]);
    expect(messageCauses(WRITER, saying('x'.repeat(9999)))).to.deep.equal([]);
  });

  it('tells which version was restored, if it was made by a restore', () => {
    expect([
      restoredMessage(7),
      restoredVersion(restoredMessage(7)),
      restoredVersion(restoredMessage(123)),
    ]).to.deep.equal(['Restored from version 7', 7, 123]);
    for (const other of [
      undefined,
      '',
      '7',
      'Restored from version',
      'Restored from version x',
      'Restored from version 7 ',
      'I Restored from version 7',
      `Restored from version ${'1'.repeat(16)}`,
      'Restored from version 1x2',
      'Restored from version -7',
      'Restored by version 7777',
    ])
      expect(restoredVersion(other), String(other)).to.equal(0);
  });
});
