package p256

func feInverseVarTime(z, x *fe)     { feInverse(z, x) }
func scInverseVarTime(z, x *scalar) { scInverse(z, x) }
