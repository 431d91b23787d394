// Finds the unit of length of an IFC model.
import type { IfcAPI } from 'web-ifc';
import { METERS, UNITS, type Unit } from './units.js';

const PREFIXES: Record<string, number> = {
  KILO: 1e3,
  HECTO: 1e2,
  DECA: 10,
  DECI: 0.1,
  CENTI: 0.01,
  MILLI: 0.001,
  MICRO: 1e-6,
};

/**
 * Returns the model's unit of length; undefined if the model declares none. If the unit is not one of UNITS,
 * returns 'm', because web-ifc's output is in meters.
 * @param project The type code of IfcProject.
 */
export function lengthUnit(api: IfcAPI, model: number, project: number): Unit | undefined {
  const line = (reference: { value: number }) => api.GetLine(model, reference.value);
  for (const number of api.GetLineIDsWithType(model, project)) {
    const { UnitsInContext } = api.GetLine(model, number);
    for (const reference of UnitsInContext ? line(UnitsInContext).Units : []) {
      const unit = line(reference);
      if (unit.UnitType?.value !== 'LENGTHUNIT') continue;
      const factor = unit.ConversionFactor && line(unit.ConversionFactor);
      const meters = factor
        ? factor.ValueComponent.value * prefixOf(line(factor.UnitComponent))
        : prefixOf(unit);
      return UNITS.find(name => Math.abs(METERS[name] / meters - 1) < 1e-9) ?? 'm';
    }
  }
  return undefined;
}

function prefixOf({ Prefix }: { Prefix?: { value: string } | null }): number {
  return Prefix ? (PREFIXES[Prefix.value] ?? NaN) : 1;
}
