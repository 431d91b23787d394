// Sine and cosine by Taylor series. Only basic arithmetic is used, which rounds in the same way everywhere, so
// the results have the same bits on every machine. The series are accurate to 2^-63.

/** Returns the cosine of an angle in radians, whose magnitude must not be much greater than pi / 2. */
export function cosine(x: f64): f64 {
  const y = x * x;
  return (
    1 -
    y *
      (1.0 / 2) *
      (1 -
        y *
          (1.0 / 12) *
          (1 -
            y *
              (1.0 / 30) *
              (1 -
                y *
                  (1.0 / 56) *
                  (1 -
                    y *
                      (1.0 / 90) *
                      (1 -
                        y *
                          (1.0 / 132) *
                          (1 -
                            y *
                              (1.0 / 182) *
                              (1 -
                                y *
                                  (1.0 / 240) *
                                  (1 - y * (1.0 / 306) * (1 - y * (1.0 / 380) * (1 - y * (1.0 / 462)))))))))))
  );
}

/** Returns the sine of an angle in radians, whose magnitude must not be much greater than pi / 2. */
export function sine(x: f64): f64 {
  const y = x * x;
  return (
    x *
    (1 -
      y *
        (1.0 / 6) *
        (1 -
          y *
            (1.0 / 20) *
            (1 -
              y *
                (1.0 / 42) *
                (1 -
                  y *
                    (1.0 / 72) *
                    (1 -
                      y *
                        (1.0 / 110) *
                        (1 -
                          y *
                            (1.0 / 156) *
                            (1 -
                              y *
                                (1.0 / 210) *
                                (1 -
                                  y *
                                    (1.0 / 272) *
                                    (1 -
                                      y * (1.0 / 342) * (1 - y * (1.0 / 420) * (1 - y * (1.0 / 506))))))))))))
  );
}
