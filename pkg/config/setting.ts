import type { z } from 'zod';
import { text } from './values.js';

/** A setting with its description and its default, as people write it. */
export function setting<S extends z.ZodType<unknown, string>>(schema: S, fallback: z.input<S>, description: string) {
  return schema.prefault(fallback).meta({ description, fallback });
}

/** A setting without a default. `otherwise` tells what applies if it is not set. */
export function optional(description: string, otherwise: string, schema = text().min(1, 'expected a value')) {
  return schema.optional().meta({ description, otherwise });
}
