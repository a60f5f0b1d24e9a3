import { expect } from 'chai';
import { z } from 'zod';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { DescribedMessage } from '../openapi/schemas.js';
import { decodeMessage } from './decode-message.js';

const SWITCH: DescribedMessage = {
  group: 'house.svc.app',
  version: 'v1',
  kind: 'Switch',
  description: 'A switch.',
  body: z.object({ spec: z.strictObject({ times: z.int().max(9) }), note: z.string().optional() }),
  answer: z.object({ status: z.object({ isLit: z.boolean() }), note: z.string() }),
};
const TYPE = { apiVersion: 'house.svc.app/v1', kind: 'Switch' };
const spec = { times: 1 };

const refusal = (value: unknown, kind = SWITCH) => {
  try {
    decodeMessage(kind, 'a', value);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.code, error.message, (error.details?.causes ?? []).map(({ field }) => field)];
  }
  return undefined;
};

describe('the body of a request to a part of an object', () => {
  it('has the members of the message, and metadata', () => {
    const { metadata, body, unknownFields } = decodeMessage(SWITCH, 'a', { ...TYPE, metadata: { name: 'a' }, spec });
    expect(metadata).to.include({ name: 'a' });
    expect([body, unknownFields]).to.deep.equal([{ spec }, []]);
  });

  it('may leave out its type, and all of it if nothing is required', () => {
    expect(decodeMessage(SWITCH, 'a', { spec }).body).to.deep.equal({ spec });
    expect(decodeMessage(SWITCH, 'a', { kind: 'Switch', spec }).body).to.deep.equal({ spec });
    const { body: _, ...bodiless } = SWITCH;
    expect(decodeMessage(bodiless, 'a', {}).body).to.deep.equal({});
    expect(refusal({ spec, kind: 'Lamp' })?.[0]).to.equal(400);
    expect(refusal({ spec, apiVersion: 'v1' })?.[0]).to.equal(400);
  });

  it('may be an answer that is sent back, of which only the members of the body count', () => {
    const { body, unknownFields } = decodeMessage(SWITCH, 'a', { ...TYPE, spec, note: 'x', status: { isLit: 'no' } });
    expect([body, unknownFields]).to.deep.equal([{ spec, note: 'x' }, []]);
    expect(refusal({ ...TYPE, spec, note: 1 })?.[0]).to.equal(400);
    // The schema of a message is made when it is read for the first time.
    expect(decodeMessage({ ...SWITCH }, 'a', { spec, status: 1 })).to.deep.include({
      unknownFields: [],
      body: { spec },
    });
  });

  it('must be an object', () => {
    for (const value of [null, undefined, 'text', 1, [], [{ spec }]])
      expect(refusal(value)?.slice(0, 2)).to.deep.equal([400, 'the body must be a JSON object of kind Switch']);
  });

  it('drops and names fields that the message does not have', () => {
    const { body, unknownFields } = decodeMessage(SWITCH, 'a', { spec: { times: 1, more: 1 }, extra: 1 });
    expect(body).to.deep.equal({ spec });
    expect([...unknownFields].sort()).to.deep.equal(['extra', 'spec.more']);
  });

  it('is a 400 if a field has the wrong type, and invalid if it is wrong otherwise', () => {
    expect(refusal({ spec: { times: 'x' } })?.slice(0, 2)).to.deep.equal([
      400,
      'Switch in version "v1" cannot be handled as a Switch: spec.times: Invalid input: expected number, received string',
    ]);
    expect(refusal({ spec: { times: 10 } })).to.deep.include.members([422]);
    expect(refusal({ spec: {} })?.[2]).to.deep.equal(['spec.times']);
    expect(refusal({ spec: {} })?.[0]).to.equal(422);
    const Words = z.object({ spec: z.record(z.string(), z.string()) });
    const long = refusal({ spec: { ['x'.repeat(1000)]: 1 } }, { ...SWITCH, body: Words });
    expect(long?.[1]).to.have.length.below(450);
  });
});
