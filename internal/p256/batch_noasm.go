//go:build !amd64 || purego

package p256

const noKernel = "p256: no kernel for this architecture"

// There are no eight-lane kernels here: BatchTier is impl.Generic, and nothing
// calls these.

func laneMul(z, x, y *lanes)                                                      { panic(noKernel) }
func laneOrderMul(z, x, y *lanes)                                                 { panic(noKernel) }
func laneOrderAdd(z, x, y *lanes)                                                 { panic(noKernel) }
func laneSqr(z, x *lanes, n int)                                                  { panic(noKernel) }
func laneDouble(p *lanePoint, n int)                                              { panic(noKernel) }
func laneAdd(p, q *lanePoint)                                                     { panic(noKernel) }
func laneAddDistinct(z, p, q *lanePoint)                                          { panic(noKernel) }
func laneAddComb(p *lanePoint, table *combWindow52, digits, signs *[8]uint64)     { panic(noKernel) }
func laneAddLaneComb(p *lanePoint, table *laneCombStep, digits, signs *[8]uint64) { panic(noKernel) }
func laneAddTable(p *lanePoint, table *laneTable, digits, signs *[8]uint64)       { panic(noKernel) }
func laneSumVarTime(z *lanePoint, s *laneSum, keep uint64)                        { panic(noKernel) }
func toLanes(z *lanes, x *[8][4]uint64)                                           { panic(noKernel) }
func fromLanes(z *[8][4]uint64, x *lanes)                                         { panic(noKernel) }
