package p256

import (
	"testing"

	"github.com/fastcrypto-go/fastcrypto/internal/impl"
)

func TestKnownAnswer(t *testing.T) {
	for _, tier := range impl.P256.Supported() {
		if err := knownAnswer(tier); err != nil {
			t.Errorf("%s: %v", tier, err)
		}
	}
}
